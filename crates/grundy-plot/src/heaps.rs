//! Values against heaps: points, or their density where there are many.

use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::*;

use crate::picture::{Area, Canvas, DrawFault, SIZE, label, text};
use crate::raster::Raster;

/// The values of the heaps 0, 1, 2, …
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heaps<'a> {
    /// The values; `None` where there is none.
    pub values: &'a [Option<u64>],
    /// The heaps that are rare, ascending.
    pub rares: &'a [usize],
    /// The axes.
    pub axes: Axes,
}

/// Which axes are logarithmic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Axes {
    /// That of the heaps.
    pub log_heaps: bool,
    /// That of the values, with 1 added to each.
    pub log_values: bool,
}

/// More points than this are shown as their density.
const MOST_POINTS: usize = 3000;
/// More rare heaps than this are pixels too.
const MOST_RARES: usize = 4000;

impl Heaps<'_> {
    /// The picture as SVG.
    pub fn svg(&self, canvas: &Canvas) -> Result<String, DrawFault> {
        let last = self.values.len().saturating_sub(1).max(1) as f64;
        let most = self
            .values
            .iter()
            .flatten()
            .max()
            .copied()
            .unwrap_or(0)
            .max(1) as f64;
        let heaps = 0.0..last * 1.01;
        let values = 0.0..most * 1.06;
        let shifted = 1.0..most * 1.3 + 1.0;
        let log_heaps = 1.0..last * 1.05 + 0.1;
        canvas.draw(|area| match (self.axes.log_heaps, self.axes.log_values) {
            (false, false) => self.on(canvas, area, heaps, values),
            (true, false) => self.on(canvas, area, log_heaps.log_scale(), values),
            (false, true) => self.on(canvas, area, heaps, shifted.log_scale()),
            (true, true) => self.on(canvas, area, log_heaps.log_scale(), shifted.log_scale()),
        })
    }

    /// The points with the coordinates that the axes have.
    fn points(&self) -> impl Iterator<Item = (usize, (f64, f64))> {
        let axes = self.axes;
        let values = self.values.iter().enumerate();
        values.filter_map(move |(heap, value)| {
            let value = (*value)? as f64 + f64::from(u8::from(axes.log_values));
            (heap > 0 || !axes.log_heaps).then_some((heap, (heap as f64, value)))
        })
    }

    fn on<X, Y>(
        &self,
        canvas: &Canvas,
        area: &Area,
        heaps: X,
        values: Y,
    ) -> Result<Vec<Raster>, DrawFault>
    where
        X: AsRangedCoord<Value = f64>,
        Y: AsRangedCoord<Value = f64>,
        X::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
        Y::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
    {
        let theme = canvas.theme;
        // The legend stands above.
        let top = if self.rares.is_empty() { 0 } else { 26 };
        let below = area.margin(top, 0, 0, 0);
        let mut chart = ChartBuilder::on(&below)
            .x_label_area_size(46)
            .y_label_area_size(64)
            .margin_right(16)
            .build_cartesian_2d(heaps, values)?;
        let added = u8::from(self.axes.log_values);
        chart
            .configure_mesh()
            .light_line_style(theme.paper())
            .bold_line_style(theme.lines())
            .axis_style(theme.muted())
            .label_style(text(theme.ink()))
            .axis_desc_style(text(theme.ink()))
            .x_desc("heap")
            .y_desc(if self.axes.log_values {
                "value + 1"
            } else {
                "value"
            })
            .x_label_formatter(&|heap| label(*heap))
            .y_label_formatter(&|value| label(*value))
            .y_labels(most_labels(self.values, added))
            .draw()?;
        let mut rasters = Vec::new();
        let rares: Vec<bool> = {
            let mut rares = vec![false; self.values.len()];
            self.rares.iter().for_each(|heap| rares[*heap] = true);
            rares
        };
        let points = self.points().count();
        let few = points <= MOST_POINTS;
        let radius = if points <= 400 { 3 } else { 2 };
        if few {
            let style = theme.point().filled();
            let common = self.points().filter(|(heap, _)| !rares[*heap]);
            chart.draw_series(common.map(|(_, point)| Circle::new(point, radius, style)))?;
        } else {
            let (columns, rows) = chart.plotting_area().get_pixel_range();
            let (width, height) = (columns.end - columns.start, rows.end - rows.start);
            let mut counts = vec![0u32; (width.max(1) * height.max(1)) as usize];
            for (_, point) in self.points() {
                let (x, y) = chart.backend_coord(&point);
                let (x, y) = (x - columns.start, y - rows.start);
                if (0..width).contains(&x) && (0..height).contains(&y) {
                    counts[(y * width + x) as usize] += 1;
                }
            }
            let most = f64::from(counts.iter().max().copied().unwrap_or(1).max(2)).ln();
            let place = (columns.start, rows.start, width, height);
            let place = (
                place.0.into(),
                place.1.into(),
                place.2.into(),
                place.3.into(),
            );
            let mut raster = Raster::new(width as u32, height as u32, place);
            for (index, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                let colour = theme.density(f64::from(*count).ln() / most);
                let (x, y) = (index % width as usize, index / width as usize);
                raster.set(x as u32, y as u32, colour);
            }
            if self.rares.len() > MOST_RARES {
                for (_, point) in self.points().filter(|(heap, _)| rares[*heap]) {
                    let (x, y) = chart.backend_coord(&point);
                    let inside = x >= columns.start && y >= rows.start;
                    if inside {
                        let (x, y) = (x - columns.start, y - rows.start);
                        raster.set(x as u32, y as u32, theme.accent());
                    }
                }
            }
            rasters.push(raster);
        }
        if few || self.rares.len() <= MOST_RARES {
            let style = theme.accent().filled();
            let rare = self.points().filter(|(heap, _)| rares[*heap]);
            let size = if few { radius + 2 } else { 4 };
            chart.draw_series(rare.map(|(_, point)| TriangleMarker::new(point, size, style)))?;
        }
        self.legend(canvas, area, few)?;
        Ok(rasters)
    }

    /// What the marks are, at the right of the title.
    fn legend(&self, canvas: &Canvas, area: &Area, few: bool) -> Result<(), DrawFault> {
        let theme = canvas.theme;
        let (width, _) = area.dim_in_pixel();
        let mut right = width as i32 - 30;
        let mut entries = Vec::new();
        if !self.rares.is_empty() {
            entries.push((format!("rare ({})", self.rares.len()), true));
            entries.push((
                if few {
                    "common"
                } else {
                    "common, darker where denser"
                }
                .to_owned(),
                false,
            ));
        }
        for (words, is_rare) in entries {
            right -= words.chars().count() as i32 * 7 + 30;
            let place = (right, 9);
            if is_rare {
                area.draw(&TriangleMarker::new(place, 6, theme.accent().filled()))?;
            } else {
                area.draw(&Circle::new(place, 4, theme.point().filled()))?;
            }
            let at = (right + 10, 10 - SIZE / 2);
            area.draw(&Text::new(words, at, text(theme.muted())))?;
        }
        Ok(())
    }
}

/// No more labels than there are values.
fn most_labels(values: &[Option<u64>], added: u8) -> usize {
    let most = values.iter().flatten().max().copied().unwrap_or(0) + u64::from(added);
    usize::try_from(most + 1).unwrap_or(10).clamp(2, 10)
}
