//! The diagram as SVG.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::layout::{layout, real};
use crate::route::{DOT, Point, Route, breadth, depth, routes};
use crate::{Diagram, Direction, Shape};

/// What is left free around all, as a multiple of the radius.
const MARGIN: f64 = 2.0;
const PEN: &str = "stroke=\"#212529\"";

impl Diagram {
    /// The diagram as SVG, on white.
    ///
    /// Takes time and space in proportion to the edges and the layers that each of them passes.
    ///
    /// # Panics
    ///
    /// If an edge names a node that there is not.
    pub fn svg(&self) -> String {
        let layout = layout(self);
        let routes = routes(self, &layout);
        let depth = depth(self);
        let margin = MARGIN * self.radius;
        let across = layout.breadth;
        let along = depth * real(layout.layers.saturating_sub(1));
        let place = |point: Point| {
            let (x, y) = (point.x + margin, point.y + margin);
            match self.direction {
                Direction::Down => (x, y),
                Direction::Right => (y, x),
            }
        };
        let (width, height) = place(Point {
            x: across + margin,
            y: along + margin,
        });
        let mut svg = String::new();
        let _ = writeln!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"12\" \
             text-anchor=\"middle\">"
        );
        let _ = writeln!(
            svg,
            "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>"
        );
        let colours: BTreeSet<&str> = self.edges.iter().map(|edge| edge.colour).collect();
        for colour in colours {
            let _ = writeln!(
                svg,
                "<marker id=\"{}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" \
                 markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"{colour}\"/></marker>",
                marker(colour)
            );
        }
        for (edge, route) in self.edges.iter().zip(&routes) {
            let _ = writeln!(
                svg,
                "<path d=\"{}\" fill=\"none\" stroke=\"{}\" marker-end=\"url(#{})\"/>",
                path(route, place),
                edge.colour,
                marker(edge.colour)
            );
        }
        for (node, (layer, across)) in self.nodes.iter().zip(&layout.nodes) {
            let (x, y) = place(Point {
                x: *across,
                y: real(*layer) * depth,
            });
            self.node(&mut svg, node, x, y);
        }
        // Labels stand over all lines.
        for (edge, route) in self.edges.iter().zip(&routes) {
            if !edge.label.is_empty() {
                let (x, y) = place(route.label);
                let breadth = breadth(&edge.label);
                let _ = writeln!(
                    svg,
                    "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{breadth:.1}\" height=\"12\" fill=\"#ffffff\"/>\
                     <text x=\"{x:.1}\" y=\"{:.1}\" fill=\"{}\">{}</text>",
                    x - breadth / 2.0,
                    y - 6.0,
                    y + 4.0,
                    edge.colour,
                    escaped(&edge.label)
                );
            }
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn node(&self, svg: &mut String, node: &crate::Node, x: f64, y: f64) {
        let (radius, fill) = (self.radius, node.fill);
        let _ = match node.shape {
            Shape::Circle => writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{fill}\" {PEN}/>"
            ),
            Shape::Diamond => writeln!(
                svg,
                "<path d=\"M{:.1} {y:.1}L{x:.1} {:.1}L{:.1} {y:.1}L{x:.1} {:.1}z\" fill=\"{fill}\" {PEN}/>",
                x - radius,
                y - radius,
                x + radius,
                y + radius
            ),
            Shape::Dot => writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{DOT}\"/>"),
        };
        if node.is_ringed {
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{}\" fill=\"none\" {PEN}/>",
                radius - 3.0
            );
        }
        let first = y + 4.0 - 7.5 * real(node.lines.len().saturating_sub(1));
        for (index, line) in node.lines.iter().enumerate() {
            let y = first + 15.0 * real(index);
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
                escaped(line)
            );
        }
    }
}

fn path(route: &Route, place: impl Fn(Point) -> (f64, f64)) -> String {
    let (x, y) = place(route.start);
    let mut path = format!("M{x:.1} {y:.1}");
    for step in &route.steps {
        path.push('C');
        let points: Vec<String> = step
            .iter()
            .map(|point| {
                let (x, y) = place(*point);
                format!("{x:.1} {y:.1}")
            })
            .collect();
        path.push_str(&points.join(" "));
    }
    path
}

/// The name of the arrowhead of a colour.
fn marker(colour: &str) -> String {
    format!("m{}", colour.trim_start_matches('#'))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
