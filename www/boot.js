// Before the page's module is there: the theme that was chosen, so that nothing flashes; and a word if it never comes.

try {
  document.documentElement.dataset.theme = localStorage.getItem('theme') ?? 'auto';
} catch {
  // No storage, no choice to remember.
}

function failed(reason) {
  const boot = document.querySelector('#boot');
  if (boot) boot.textContent = `Flowglass could not start: ${reason}. It needs a browser with WebAssembly; Chromium, Firefox and Safari of the last few years have it.`;
}

addEventListener('error', (event) => failed(event.message ?? 'a file could not be loaded'), true);
addEventListener('unhandledrejection', (event) => failed(event.reason));
