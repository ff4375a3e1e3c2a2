//! What all pictures share: paper, titles, and rasters behind the axes.

use std::fmt;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::colour::Theme;
use crate::raster::Raster;

/// The families that are tried, the first of which comes with this crate.
pub const FONT: &str = "Inter, Helvetica Neue, Arial, sans-serif";
/// How large text is.
pub const SIZE: i32 = 14;

/// What a picture is drawn on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canvas {
    /// Its colours.
    pub theme: Theme,
    /// What it shows.
    pub title: String,
    /// How to read it.
    pub caption: String,
    /// Width and height in pixels.
    pub size: (u32, u32),
}

/// Why there is no picture: the library that draws refused something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawFault(pub String);

impl<E: std::error::Error + Send + Sync> From<DrawingAreaErrorKind<E>> for DrawFault {
    fn from(error: DrawingAreaErrorKind<E>) -> Self {
        Self(error.to_string())
    }
}

impl fmt::Display for DrawFault {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The part of a picture that is drawn on.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

impl Canvas {
    /// The SVG of what `draw` draws below the titles; the rasters that it gives stand behind.
    pub fn draw(
        &self,
        draw: impl FnOnce(&Area) -> Result<Vec<Raster>, DrawFault>,
    ) -> Result<String, DrawFault> {
        let mut svg = String::new();
        let rasters = {
            let root = SVGBackend::with_string(&mut svg, self.size).into_drawing_area();
            root.fill(&self.theme.paper())?;
            let title = (FONT, 20, FontStyle::Bold)
                .into_font()
                .color(&self.theme.ink());
            root.draw(&Text::new(self.title.clone(), (20, 14), title))?;
            let caption = text(self.theme.muted());
            root.draw(&Text::new(self.caption.clone(), (20, 42), caption))?;
            let rasters = draw(&root.margin(68, 8, 8, 8))?;
            root.present()?;
            rasters
        };
        // plotters draws no rasters into an SVG by itself: they go behind all but the paper.
        let paper = svg.find("<rect").and_then(|start| {
            let end = svg[start..].find("/>")?;
            Some(start + end + "/>\n".len())
        });
        let images: String = rasters.iter().map(Raster::element).collect();
        svg.insert_str(paper.unwrap_or(svg.len()), &images);
        Ok(svg.replace("font-weight=\"bold\"", "font-weight=\"600\""))
    }
}

/// The style of plain text.
pub fn text(colour: RGBColor) -> TextStyle<'static> {
    (FONT, SIZE).into_font().color(&colour)
}

/// The style of text that is centred at its place.
pub fn centred(colour: RGBColor) -> TextStyle<'static> {
    text(colour).pos(Pos::new(HPos::Center, VPos::Center))
}

/// A number for an axis, with thin groups of three digits.
pub fn label(number: f64) -> String {
    let digits = format!("{number:.0}");
    if digits.len() <= 4 {
        return digits;
    }
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push('\u{a0}');
        }
        grouped.push(digit);
    }
    grouped
}
