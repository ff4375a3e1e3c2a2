//! Colours, in light and in dark.

use plotters::style::RGBColor;

/// What the background is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// White, for paper.
    #[default]
    Light,
    /// Nearly black, for screens.
    Dark,
}

impl Theme {
    /// The colour behind everything.
    pub fn paper(self) -> RGBColor {
        match self {
            Self::Light => RGBColor(255, 255, 255),
            Self::Dark => RGBColor(18, 21, 26),
        }
    }

    /// The colour of text and axes.
    pub fn ink(self) -> RGBColor {
        match self {
            Self::Light => RGBColor(28, 30, 33),
            Self::Dark => RGBColor(228, 231, 235),
        }
    }

    /// The colour of what is said on the side.
    pub fn muted(self) -> RGBColor {
        match self {
            Self::Light => RGBColor(95, 101, 110),
            Self::Dark => RGBColor(160, 167, 176),
        }
    }

    /// The colour of lines that help to read a height.
    pub fn lines(self) -> RGBColor {
        match self {
            Self::Light => RGBColor(229, 231, 235),
            Self::Dark => RGBColor(43, 49, 58),
        }
    }

    /// The colour of a point.
    pub fn point(self) -> RGBColor {
        match self {
            Self::Light => RGBColor(0, 114, 178),
            Self::Dark => RGBColor(86, 180, 233),
        }
    }

    /// The colour of a point that is to be seen first.
    pub fn accent(self) -> RGBColor {
        match self {
            Self::Light => RGBColor(213, 94, 0),
            Self::Dark => RGBColor(240, 160, 40),
        }
    }

    /// The colour of a place that is undecided.
    pub fn unknown(self) -> RGBColor {
        match self {
            Self::Light => RGBColor(200, 203, 208),
            Self::Dark => RGBColor(75, 80, 88),
        }
    }

    /// How dense points are, from nearly none (0) to most (1).
    pub fn density(self, share: f64) -> RGBColor {
        let share = share.clamp(0.0, 1.0);
        let faint = mix(self.paper(), self.point(), 0.35);
        let full = match self {
            Self::Light => RGBColor(3, 32, 66),
            Self::Dark => RGBColor(235, 247, 255),
        };
        if share < 0.5 {
            mix(faint, self.point(), 2.0 * share)
        } else {
            mix(self.point(), full, 2.0 * share - 1.0)
        }
    }
}

/// The frame of a lost position.
pub const LOST_FRAME: RGBColor = RGBColor(12, 12, 16);
/// A lost position: lighter than every colour of the scale.
pub const LOST: RGBColor = RGBColor(255, 255, 255);

/// The dark three quarters of viridis (van der Walt and Smith 2015), eight steps apart.
const SCALE: [(u8, u8, u8); 9] = [
    (68, 1, 84),
    (71, 31, 112),
    (65, 62, 133),
    (54, 90, 140),
    (44, 114, 142),
    (35, 138, 141),
    (31, 161, 135),
    (56, 182, 119),
    (101, 203, 94),
];

/// The colour of a value that is such a share of the largest.
pub fn scale(share: f64) -> RGBColor {
    let last = SCALE.len() - 1;
    let place = share.clamp(0.0, 1.0) * last as f64;
    let step = (place.floor() as usize).min(last - 1);
    let at = |index: usize| {
        let (red, green, blue) = SCALE[index];
        RGBColor(red, green, blue)
    };
    mix(at(step), at(step + 1), place - step as f64)
}

/// A colour between two.
fn mix(from: RGBColor, to: RGBColor, share: f64) -> RGBColor {
    let part = |from: u8, to: u8| {
        (f64::from(from) + (f64::from(to) - f64::from(from)) * share).round() as u8
    };
    RGBColor(part(from.0, to.0), part(from.1, to.1), part(from.2, to.2))
}
