//! Rectangles of pixels inside an SVG.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use plotters::style::RGBColor;
use resvg::tiny_skia::{Pixmap, PremultipliedColorU8};

/// Pixels, and where they stand in the picture. What is not set shows what is behind.
pub struct Raster {
    pixels: Pixmap,
    /// Left, top, width and height in the picture.
    place: (f64, f64, f64, f64),
}

impl Raster {
    /// So many columns and rows of pixels that fill a rectangle.
    pub fn new(columns: u32, rows: u32, place: (f64, f64, f64, f64)) -> Self {
        Self {
            pixels: Pixmap::new(columns.max(1), rows.max(1)).expect("a raster has some pixels"),
            place,
        }
    }

    /// Colours a pixel; row 0 is at the top.
    pub fn set(&mut self, column: u32, row: u32, colour: RGBColor) {
        let index = row as usize * self.pixels.width() as usize + column as usize;
        let colour = PremultipliedColorU8::from_rgba(colour.0, colour.1, colour.2, 255);
        if let (Some(pixel), Some(colour)) = (self.pixels.pixels_mut().get_mut(index), colour) {
            *pixel = colour;
        }
    }

    /// It as an element of an SVG, with sharp pixels.
    pub fn element(&self) -> String {
        let (left, top, width, height) = self.place;
        let png = self.pixels.encode_png().expect("pixels can be encoded");
        format!(
            "<image x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" \
             preserveAspectRatio=\"none\" image-rendering=\"optimizeSpeed\" \
             style=\"image-rendering:pixelated\" href=\"data:image/png;base64,{}\"/>\n",
            STANDARD.encode(png)
        )
    }
}
