//! Draws marks with the graphics processor: one instanced draw call for what rests and one for what moves.

use bytemuck::cast_slice;
use view::marks::{Colour, Mark};
use wasm_bindgen::prelude::*;
use web_sys::{
    HtmlCanvasElement, WebGl2RenderingContext as Gl, WebGlBuffer, WebGlContextAttributes, WebGlProgram,
    WebGlShader, WebGlUniformLocation, WebGlVertexArrayObject,
};

const VERTEX: &str = include_str!("shaders/mark.vert.glsl");
const FRAGMENT: &str = include_str!("shaders/mark.frag.glsl");

/// Bytes of a mark.
const STRIDE: i32 = size_of::<Mark>() as i32;
/// A mark's fields: name in the shader, numbers, type, whether they are shares of the type's largest number, offset.
const FIELDS: [(&str, i32, u32, bool, i32); 5] = [
    ("a_from", 2, Gl::FLOAT, false, 0),
    ("a_to", 2, Gl::FLOAT, false, 8),
    ("a_colour", 4, Gl::UNSIGNED_BYTE, true, 16),
    ("a_size", 1, Gl::UNSIGNED_SHORT, false, 20),
    ("a_shape", 1, Gl::UNSIGNED_BYTE, false, 22),
];

/// What names of renderers contain that are no graphics processors. Not all browsers count them as the performance
/// caveat that they are.
const PRETENDERS: [&str; 5] = ["swiftshader", "llvmpipe", "softpipe", "software", "basic render"];

/// Marks in the graphics processor's memory.
struct Batch {
    buffer: WebGlBuffer,
    array: WebGlVertexArrayObject,
    count: i32,
}

/// A canvas that the graphics processor draws on.
pub struct Hard {
    gl: Gl,
    resting: Batch,
    moving: Batch,
    stage: Option<WebGlUniformLocation>,
    ratio: Option<WebGlUniformLocation>,
    size: (f64, f64),
    pixels: f64,
}

impl Hard {
    /// Takes over a canvas. `even_slow` accepts WebGL without a graphics processor, which is slower than drawing without
    /// WebGL.
    ///
    /// # Errors
    /// The browser has no WebGL 2 for this canvas, or refuses the shaders.
    pub fn new(canvas: &HtmlCanvasElement, even_slow: bool) -> Result<Hard, String> {
        let attributes = WebGlContextAttributes::new();
        attributes.set_alpha(false);
        attributes.set_antialias(false);
        attributes.set_depth(false);
        attributes.set_stencil(false);
        // Pictures and recordings read what was drawn, at a time of their own.
        attributes.set_preserve_drawing_buffer(true);
        attributes.set_fail_if_major_performance_caveat(!even_slow);
        let gl: Gl = canvas
            .get_context_with_context_options("webgl2", &attributes)
            .map_err(|error| crate::worker_link::words(&error))?
            .ok_or("this browser has no WebGL 2 with a graphics processor")?
            .unchecked_into();
        if !even_slow && is_pretended(&gl) {
            return Err("WebGL 2 is there, but no graphics processor".into());
        }
        let program = program(&gl)?;
        gl.use_program(Some(&program));
        gl.enable(Gl::BLEND);
        gl.blend_func(Gl::ONE, Gl::ONE_MINUS_SRC_ALPHA);
        Ok(Hard {
            resting: batch(&gl, &program)?,
            moving: batch(&gl, &program)?,
            stage: gl.get_uniform_location(&program, "u_stage"),
            ratio: gl.get_uniform_location(&program, "u_ratio"),
            size: (1.0, 1.0),
            pixels: 1.0,
            gl,
        })
    }

    /// Fits to a size in CSS pixels and the screen's resolution.
    pub fn resize(&mut self, size: (f64, f64), ratio: f64) {
        (self.size, self.pixels) = (size, ratio);
        let (width, height) = ((size.0 * ratio).round(), (size.1 * ratio).round());
        self.gl.viewport(0, 0, width as i32, height as i32);
        self.gl
            .uniform2f(self.stage.as_ref(), size.0 as f32, size.1 as f32);
        self.gl.uniform1f(self.ratio.as_ref(), ratio as f32);
    }

    /// Takes what rests.
    pub fn rest(&mut self, marks: &[Mark]) {
        fill(&self.gl, &mut self.resting, marks, Gl::DYNAMIC_DRAW);
    }

    /// Draws everything.
    pub fn paint(&mut self, ground: Colour, marks: &[Mark]) {
        fill(&self.gl, &mut self.moving, marks, Gl::STREAM_DRAW);
        let channel = |byte: u32| (ground >> (8 * byte) & 255) as f32 / 255.0;
        self.gl.clear_color(channel(0), channel(1), channel(2), 1.0);
        self.gl.clear(Gl::COLOR_BUFFER_BIT);
        for batch in [&self.resting, &self.moving] {
            self.gl.bind_vertex_array(Some(&batch.array));
            self.gl
                .draw_arrays_instanced(Gl::TRIANGLE_STRIP, 0, 4, batch.count);
        }
    }
}

/// True when WebGL is computed by the main processor.
fn is_pretended(gl: &Gl) -> bool {
    // UNMASKED_RENDERER_WEBGL where a browser hides the name otherwise.
    let name = match gl.get_extension("WEBGL_debug_renderer_info") {
        Ok(Some(_)) => gl.get_parameter(0x9246),
        _ => gl.get_parameter(Gl::RENDERER),
    };
    let name = name.ok().and_then(|name| name.as_string()).unwrap_or_default();
    let name = name.to_lowercase();
    PRETENDERS.iter().any(|pretender| name.contains(pretender))
}

fn fill(gl: &Gl, batch: &mut Batch, marks: &[Mark], usage: u32) {
    gl.bind_buffer(Gl::ARRAY_BUFFER, Some(&batch.buffer));
    gl.buffer_data_with_u8_array(Gl::ARRAY_BUFFER, cast_slice(marks), usage);
    batch.count = marks.len() as i32;
}

fn batch(gl: &Gl, program: &WebGlProgram) -> Result<Batch, String> {
    let lost = "the graphics processor has no memory left";
    let buffer = gl.create_buffer().ok_or(lost)?;
    let array = gl.create_vertex_array().ok_or(lost)?;
    gl.bind_vertex_array(Some(&array));
    gl.bind_buffer(Gl::ARRAY_BUFFER, Some(&buffer));
    for (name, numbers, kind, are_shares, offset) in FIELDS {
        // A field that a driver has optimised away has no place.
        if let Ok(place) = u32::try_from(gl.get_attrib_location(program, name)) {
            gl.enable_vertex_attrib_array(place);
            gl.vertex_attrib_pointer_with_i32(place, numbers, kind, are_shares, STRIDE, offset);
            gl.vertex_attrib_divisor(place, 1);
        }
    }
    Ok(Batch {
        buffer,
        array,
        count: 0,
    })
}

fn program(gl: &Gl) -> Result<WebGlProgram, String> {
    let program = gl.create_program().ok_or("WebGL gives no program")?;
    for (kind, source) in [(Gl::VERTEX_SHADER, VERTEX), (Gl::FRAGMENT_SHADER, FRAGMENT)] {
        gl.attach_shader(&program, &shader(gl, kind, source)?);
    }
    gl.link_program(&program);
    let linked = gl.get_program_parameter(&program, Gl::LINK_STATUS).is_truthy();
    if linked {
        Ok(program)
    } else {
        Err(gl.get_program_info_log(&program).unwrap_or_default())
    }
}

fn shader(gl: &Gl, kind: u32, source: &str) -> Result<WebGlShader, String> {
    let shader = gl.create_shader(kind).ok_or("WebGL gives no shader")?;
    gl.shader_source(&shader, source);
    gl.compile_shader(&shader);
    if gl.get_shader_parameter(&shader, Gl::COMPILE_STATUS).is_truthy() {
        Ok(shader)
    } else {
        Err(gl.get_shader_info_log(&shader).unwrap_or_default())
    }
}
