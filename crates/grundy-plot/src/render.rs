//! An SVG as pixels.

use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

const REGULAR: &[u8] = include_bytes!("../fonts/Inter-Regular.otf");
const SEMIBOLD: &[u8] = include_bytes!("../fonts/Inter-SemiBold.otf");

/// The PNG of a picture, so many times as large; `None` for what is no picture of this crate.
pub fn png(svg: &str, times: f32) -> Option<Vec<u8>> {
    let mut fonts = fontdb::Database::new();
    for font in [REGULAR, SEMIBOLD] {
        fonts.load_font_data(font.to_vec());
    }
    let options = Options {
        fontdb: Arc::new(fonts),
        font_family: "Inter".to_owned(),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).ok()?;
    let size = tree.size().to_int_size().scale_by(times)?;
    let mut pixels = Pixmap::new(size.width(), size.height())?;
    resvg::render(
        &tree,
        Transform::from_scale(times, times),
        &mut pixels.as_mut(),
    );
    pixels.encode_png().ok()
}
