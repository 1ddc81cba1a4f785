#version 300 es
// One mark (view::marks): a quad that covers it, in coordinates that suit its shape.

uniform vec2 u_stage; // CSS pixels
uniform float u_ratio; // device pixels to a CSS pixel

in vec2 a_from;
in vec2 a_to;
in vec4 a_colour;
in float a_size; // 1/64 CSS pixels
in float a_shape;

out vec2 v_at; // device pixels
flat out vec4 v_colour;
flat out vec2 v_extent; // length and size, or half width and half height of a panel
flat out float v_size;
flat out int v_shape;

const int DISTINCT = 4; // shapes below are lines
const int PANEL = 17;
const float LARGEST_STROKE = 0.36;

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  vec2 from = a_from * u_ratio;
  vec2 to = a_to * u_ratio;
  float size = a_size / 64.0 * u_ratio;
  v_colour = vec4(a_colour.rgb * a_colour.a, a_colour.a);
  v_size = size;
  v_shape = int(a_shape + 0.5);
  vec2 middle;
  vec2 offset;
  if (v_shape < DISTINCT) {
    vec2 way = to - from;
    float way_length = length(way);
    vec2 along = way_length > 0.001 ? way / way_length : vec2(1.0, 0.0);
    vec2 half_size = vec2(way_length / 2.0 + size / 2.0 + 1.0, size / 2.0 + 1.0);
    v_at = corner * half_size + vec2(way_length / 2.0, 0.0);
    v_extent = vec2(way_length, size);
    middle = (from + to) / 2.0;
    offset = along * (corner.x * half_size.x) + vec2(-along.y, along.x) * (corner.y * half_size.y);
  } else if (v_shape == PANEL) {
    vec2 half_size = (to - from) / 2.0;
    v_extent = half_size;
    middle = (from + to) / 2.0;
    offset = corner * (half_size + 1.0);
    v_at = offset;
  } else {
    float reach = size * (1.0 + LARGEST_STROKE) + 3.0 * u_ratio;
    v_extent = vec2(size);
    middle = from;
    offset = corner * reach;
    v_at = offset;
  }
  vec2 clip = (middle + offset) / (u_stage * u_ratio) * 2.0 - 1.0;
  gl_Position = vec4(clip.x, -clip.y, 0.0, 1.0);
}
