#version 300 es
// One mark (view::marks): how much of a pixel it covers. The same rules as view::raster.

precision highp float;

uniform float u_ratio;

in vec2 v_at;
flat in vec4 v_colour;
flat in vec2 v_extent;
flat in float v_size;
flat in int v_shape;

out vec4 o_colour;

const vec2 DASH = vec2(3.0, 2.2);
const vec2 DOT = vec2(1.0, 1.3);
const vec2 STROKE = vec2(0.36, 1.4);
const vec2 BAR = vec2(0.22, 0.82);
const float ARM = 0.36;
const float HALF_ROOT = 0.70710678;

// The part of a pixel around `at` that lies from `low` to `high`.
float covered(float at, float low, float high) {
  return clamp(min(at + 0.5, high) - max(at - 0.5, low), 0.0, 1.0);
}

float line(float low, float high) {
  return covered(v_at.y, -v_extent.y / 2.0, v_extent.y / 2.0) * covered(v_at.x, low, high);
}

float dashes(vec2 pattern) {
  float period = (pattern.x + pattern.y) * v_extent.y;
  float begin = floor(v_at.x / period) * period;
  return line(max(begin, 0.0), min(begin + pattern.x * v_extent.y, v_extent.x));
}

// By the distance from a border, negative inside.
float inside(float from_border) {
  return clamp(0.5 - from_border, 0.0, 1.0);
}

float cross_strokes() {
  vec2 turned = abs(vec2(v_at.x + v_at.y, v_at.x - v_at.y) * HALF_ROOT);
  float reach = v_size * 1.41421356;
  vec2 beyond = max(turned - reach, 0.0);
  return min(length(vec2(beyond.x, turned.y)), length(vec2(beyond.y, turned.x)));
}

void main() {
  float stroke = max(v_size * STROKE.x, STROKE.y * u_ratio) / 2.0;
  float diamond = (abs(v_at.x) + abs(v_at.y) - v_size) * HALF_ROOT;
  float square = max(abs(v_at.x), abs(v_at.y)) - v_size;
  float share;
  if (v_shape == 0) {
    share = line(0.0, v_extent.x);
  } else if (v_shape == 1) {
    float along = clamp(v_at.x, 0.0, v_extent.x);
    share = inside(length(vec2(v_at.x - along, v_at.y)) - v_extent.y / 2.0);
  } else if (v_shape == 2) {
    share = dashes(DASH);
  } else if (v_shape == 3) {
    share = dashes(DOT);
  } else if (v_shape == 4) {
    share = inside(diamond);
  } else if (v_shape == 5) {
    share = inside(max(abs(v_at.x) * 0.8660254 - v_at.y * 0.5, v_at.y) - v_size / 2.0);
  } else if (v_shape == 6) {
    share = inside(length(v_at) - v_size);
  } else if (v_shape == 7) {
    share = inside(abs(length(v_at) - v_size) - stroke);
  } else if (v_shape == 8) {
    share = inside(cross_strokes() - stroke);
  } else if (v_shape == 9) {
    share = inside(abs(diamond) - stroke);
  } else if (v_shape == 10) {
    share = inside(square);
  } else if (v_shape == 11) {
    share = inside(abs(square) - stroke);
  } else if (v_shape == 12) {
    share = inside(max(abs(v_at.x) * 0.8660254 + v_at.y * 0.5, -v_at.y) - v_size / 2.0);
  } else if (v_shape == 13) {
    float across = abs(abs(v_at.x) - v_size * (BAR.x + BAR.y) / 2.0) - v_size * (BAR.y - BAR.x) / 2.0;
    share = inside(max(across, abs(v_at.y) - v_size));
  } else if (v_shape == 14) {
    share = inside(max(abs(v_at.y) * 0.8660254 + v_at.x * 0.5, -v_at.x) - v_size / 2.0);
  } else if (v_shape == 15) {
    vec2 arms = abs(v_at);
    share = inside(max(max(arms.x, arms.y) - v_size, min(arms.x, arms.y) - v_size * ARM));
  } else if (v_shape == 16) {
    share = inside(max((abs(v_at.x) - abs(v_at.y)) * HALF_ROOT, abs(v_at.y) - v_size));
  } else {
    float radius = min(v_size, min(v_extent.x, v_extent.y));
    vec2 beyond = abs(v_at) - v_extent + radius;
    share = inside(min(max(beyond.x, beyond.y), 0.0) + length(max(beyond, 0.0)) - radius);
  }
  if (share <= 0.0) discard;
  o_colour = v_colour * share;
}
