//! Boxes of two coordinates as heat maps, and of three as their slices.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::colour::{LOST, LOST_FRAME, Theme, scale};
use crate::picture::{Area, Canvas, DrawFault, centred, label, text};
use crate::raster::Raster;

/// What is known of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A value.
    Value(u64),
    /// The player about to move wins; there is no value.
    Won,
    /// Nobody wins.
    Drawn,
    /// It is not decided.
    Unknown,
    /// There is no such position.
    Nothing,
}

/// Which cells are framed in white.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Those of the value 0: the lost positions.
    Lost,
    /// Those that break the law.
    Exceptions,
}

/// Cells in rows, the first row at the bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slice {
    /// What is above it; nothing over a single one.
    pub heading: String,
    /// How many cells a row has.
    pub columns: usize,
    /// The cells row by row.
    pub cells: Vec<Cell>,
    /// Which of them are marked, by their place.
    pub marked: Vec<bool>,
}

/// One heat map, or several side by side with one scale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The maps.
    pub slices: Vec<Slice>,
    /// What stands along the axes: across, and up.
    pub names: (String, String),
    /// What is marked.
    pub mark: Mark,
    /// What the colours are of.
    pub scale: String,
}

/// Marks are drawn with frames where cells are at least so wide.
const FRAMED: f64 = 7.0;
/// Numbers stand in cells that are at least so wide.
const WITH_NUMBERS: f64 = 26.0;
/// How wide the scale of colours is, with its numbers.
const SCALE_WIDTH: i32 = 110;

impl Grid {
    /// The picture as SVG.
    pub fn svg(&self, canvas: &Canvas) -> Result<String, DrawFault> {
        canvas.draw(|area| {
            let (width, _) = area.dim_in_pixel();
            let (maps, side) = area.split_horizontally(width as i32 - SCALE_WIDTH);
            self.legend(canvas.theme, &side)?;
            let across = (self.slices.len() * 3 / 4).isqrt();
            let across = if self.slices.len() <= 3 {
                self.slices.len()
            } else {
                across + 1
            };
            let across = across.clamp(1, self.slices.len().max(1));
            let down = self.slices.len().div_ceil(across).max(1);
            let mut rasters = Vec::new();
            for (slice, area) in self.slices.iter().zip(maps.split_evenly((down, across))) {
                rasters.push(self.map(canvas.theme, slice, &area)?);
            }
            Ok(rasters)
        })
    }

    fn most(&self) -> u64 {
        let cells = self.slices.iter().flat_map(|slice| &slice.cells);
        let values = cells.map(|cell| match cell {
            Cell::Value(value) => *value,
            _ => 0,
        });
        values.max().unwrap_or(0).max(1)
    }

    fn colour(&self, theme: Theme, cell: Cell, marked: bool) -> RGBColor {
        match cell {
            _ if marked && self.mark == Mark::Lost => LOST,
            Cell::Value(value) => scale(value as f64 / self.most() as f64),
            Cell::Won => scale(0.35),
            Cell::Drawn => theme.accent(),
            Cell::Unknown => theme.unknown(),
            Cell::Nothing => theme.paper(),
        }
    }

    fn map(&self, theme: Theme, slice: &Slice, area: &Area) -> Result<Raster, DrawFault> {
        let columns = slice.columns.max(1);
        let rows = slice.cells.len().div_ceil(columns).max(1);
        let (width, height) = area.dim_in_pixel();
        let single = self.slices.len() == 1;
        let (left, bottom, top) = if single { (64, 46, 4) } else { (34, 30, 30) };
        let room = (
            f64::from(width) - f64::from(left + 10),
            f64::from(height) - f64::from(bottom + top),
        );
        // Cells are squares where that leaves them large enough to be seen.
        let cell = (room.0 / columns as f64, room.1 / rows as f64);
        let square = cell.0.min(cell.1);
        let cell = if cell.0.max(cell.1) / square < 4.0 {
            (square, square)
        } else {
            cell
        };
        let whole = |side: f64| if side >= 2.0 { side.floor() } else { side };
        let cell = (whole(cell.0), whole(cell.1));
        let size = (cell.0 * columns as f64, cell.1 * rows as f64);
        let inner = area.margin(
            top,
            height as i32 - top - bottom - size.1 as i32,
            0,
            width as i32 - left - size.0 as i32,
        );
        let x = -0.5..columns as f64 - 0.5;
        let y = -0.5..rows as f64 - 0.5;
        let mut chart = ChartBuilder::on(&inner)
            .x_label_area_size(bottom)
            .y_label_area_size(left)
            .build_cartesian_2d(x, y)?;
        chart
            .configure_mesh()
            .disable_mesh()
            .axis_style(theme.muted())
            .label_style(text(theme.ink()))
            .axis_desc_style(text(theme.ink()))
            .x_desc(if single {
                self.names.0.clone()
            } else {
                String::new()
            })
            .y_desc(if single {
                self.names.1.clone()
            } else {
                String::new()
            })
            .x_labels(labels(columns, size.0, 44.0))
            .y_labels(labels(rows, size.1, 28.0))
            .x_label_formatter(&|n| label(*n))
            .y_label_formatter(&|n| label(*n))
            .draw()?;
        let (across, down) = chart.plotting_area().get_pixel_range();
        let place = (
            f64::from(across.start),
            f64::from(down.start),
            f64::from(across.end - across.start),
            f64::from(down.end - down.start),
        );
        let mut raster = Raster::new(columns as u32, rows as u32, place);
        for (index, found) in slice.cells.iter().enumerate() {
            let (column, row) = (index % columns, index / columns);
            let marked = slice.marked.get(index).copied().unwrap_or(false);
            let colour = self.colour(theme, *found, marked);
            raster.set(column as u32, (rows - 1 - row) as u32, colour);
        }
        let smallest = cell.0.min(cell.1);
        let at = |index: usize| ((index % columns) as f64, (index / columns) as f64);
        if smallest >= FRAMED {
            let frame = LOST_FRAME.stroke_width(if smallest >= 16.0 { 2 } else { 1 });
            let marked = (0..slice.cells.len()).filter(|index| slice.marked[*index]);
            let frames = marked.map(|index| {
                let (x, y) = at(index);
                let colour = match self.mark {
                    Mark::Lost => frame,
                    Mark::Exceptions => theme.accent().stroke_width(2),
                };
                Rectangle::new([(x - 0.44, y - 0.44), (x + 0.44, y + 0.44)], colour)
            });
            chart.draw_series(frames)?;
        }
        if smallest >= WITH_NUMBERS {
            for (index, found) in slice.cells.iter().enumerate() {
                let Cell::Value(value) = found else { continue };
                let lost = slice.marked[index] && self.mark == Mark::Lost;
                let light = *value as f64 / self.most() as f64 > 0.65;
                let ink = if lost || light { LOST_FRAME } else { LOST };
                let words = Text::new(value.to_string(), at(index), centred(ink));
                chart.draw_series(std::iter::once(words))?;
            }
        }
        if !slice.heading.is_empty() {
            let place = (left + size.0 as i32 / 2, top - 14);
            let style = centred(theme.ink());
            area.draw(&Text::new(slice.heading.clone(), place, style))?;
        }
        Ok(raster)
    }

    /// The scale of colours, and what the marks mean.
    fn legend(&self, theme: Theme, area: &Area) -> Result<(), DrawFault> {
        let (_, height) = area.dim_in_pixel();
        let ink = text(theme.ink());
        let mut top = 4;
        let mut entry = |words: &str, colour: RGBColor, frame: RGBColor| {
            let swatch = [(8, top), (24, top + 16)];
            area.draw(&Rectangle::new(swatch, colour.filled()))?;
            area.draw(&Rectangle::new(swatch, frame.stroke_width(2)))?;
            area.draw(&Text::new(words.to_owned(), (32, top + 1), ink.clone()))?;
            top += 26;
            Ok::<(), DrawFault>(())
        };
        let has = |wanted: fn(&Cell) -> bool| {
            self.slices
                .iter()
                .any(|slice| slice.cells.iter().any(wanted))
        };
        let marked = self.slices.iter().any(|slice| slice.marked.contains(&true));
        match self.mark {
            Mark::Lost => entry("lost (P)", LOST, LOST_FRAME)?,
            Mark::Exceptions if marked => entry("exception", theme.paper(), theme.accent())?,
            Mark::Exceptions => {}
        }
        if has(|cell| *cell == Cell::Won) {
            entry("won (N)", scale(0.35), scale(0.35))?;
        }
        if has(|cell| *cell == Cell::Drawn) {
            entry("drawn", theme.accent(), theme.accent())?;
        }
        if has(|cell| *cell == Cell::Unknown) {
            entry("undecided", theme.unknown(), theme.unknown())?;
        }
        if !has(|cell| matches!(cell, Cell::Value(_))) {
            return Ok(());
        }
        top += 10;
        area.draw(&Text::new(self.scale.clone(), (8, top), ink.clone()))?;
        top += 24;
        let bottom = (top + 260).min(height as i32 - 60);
        let most = self.most();
        let steps = i32::try_from(most + 1).unwrap_or(64).min(64);
        let side = f64::from(bottom - top) / f64::from(steps);
        for step in 0..steps {
            let share = f64::from(step) / f64::from((steps - 1).max(1));
            let low = f64::from(bottom) - side * f64::from(step);
            let corners = [(8, (low - side).round() as i32), (24, low.round() as i32)];
            area.draw(&Rectangle::new(corners, scale(share).filled()))?;
        }
        let style = ink.pos(Pos::new(HPos::Left, VPos::Center));
        let marks = if most >= 4 { 4 } else { most };
        for mark in 0..=marks {
            let value = most * mark / marks;
            let share = (value as f64 * f64::from(steps - 1) / most as f64 + 0.5) * side;
            let place = (30, bottom - share.round() as i32);
            area.draw(&Text::new(label(value as f64), place, style.clone()))?;
        }
        Ok(())
    }
}

/// How many numbers stand along an axis of so many cells on so many pixels.
fn labels(cells: usize, pixels: f64, each: f64) -> usize {
    let most = (pixels / each).floor().max(1.0) as usize;
    most.min(cells).max(1) + 1
}
