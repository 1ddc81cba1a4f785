// What axe-core finds on a page as it is.

import { readFile } from 'node:fs/promises';

const AXE = await readFile(new URL('./node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

/** A phone, as options of a page. */
export const PHONE = { context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } };

/** Complaints about what is there now, in both themes. */
export async function complaints(page, view) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const found = [];
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Colours fade from one theme to the other.
    await page.waitForTimeout(300);
    const violations = await page.evaluate(async () => {
      const { violations } = await axe.run(document, { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } });
      return violations.map(({ id, help, nodes }) => `${id} (${help}): ${nodes.slice(0, 4).map((node) => `${node.target} ${node.any[0]?.message ?? ''}`).join('; ')}`);
    });
    found.push(...violations.map((violation) => `${view}, ${colorScheme}: ${violation}`));
  }
  return found;
}

/** Clicks on each, by the name for tests, and asks about what is there then. */
export async function each(page, names, prefix) {
  const found = [];
  for (const name of names) {
    await page.getByTestId(name).click();
    found.push(...(await complaints(page, `${prefix} ${name}`)));
  }
  return found;
}
