//! A page in Markdown, as it is, with headings and code set off by colour.

use std::io::{self, Write};

use super::palette::{Palette, paint};

/// Writes a page.
pub(crate) fn write_page(out: &mut dyn Write, page: &str, palette: &Palette) -> io::Result<()> {
    let mut inside_code = false;
    for line in page.trim_end().lines() {
        let is_fence = line.trim_start().starts_with("```");
        if is_fence || inside_code {
            writeln!(
                out,
                "{}",
                paint(if is_fence { palette.aside } else { palette.place }, line)
            )?;
            inside_code ^= is_fence;
        } else if line.starts_with('#') {
            writeln!(out, "{}", paint(palette.heading, line))?;
        } else {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_keeps_its_text() {
        let page = "# A\n\n```al\n# not a heading\n```\n\ntext\n";
        let mut out = Vec::new();
        write_page(&mut out, page, &Palette::plain()).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), page);
        let mut out = Vec::new();
        write_page(&mut out, page, &Palette::coloured()).unwrap();
        let coloured = String::from_utf8(out).unwrap();
        assert_ne!(coloured, page);
        assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), page);
    }
}
