//! Links within the repository lead to files and headings that are there, and the book
//! has every page.

use crate::markdown::Page;
use crate::{pages_below, read, root};
use std::path::{Component, Path, PathBuf};

/// Every page that people read.
fn pages() -> Vec<PathBuf> {
    let folders = ["docs", "bench", "tests", "fixtures", "examples", ".github"];
    let mut pages: Vec<PathBuf> = folders.iter().flat_map(|f| pages_below(f)).collect();
    let members = [
        "core",
        "adapters/text",
        "adapters/grid",
        "adapters/edit",
        "metrics",
        "render",
    ];
    pages.extend(members.map(|member| Path::new(member).join("README.md")));
    let root = std::fs::read_dir(root()).unwrap();
    let names = root.map(|entry| PathBuf::from(entry.unwrap().file_name()));
    pages.extend(names.filter(|name| name.extension().is_some_and(|e| e == "md")));
    pages.retain(|page| !page.components().any(|c| c.as_os_str() == "node_modules"));
    pages
}

/// `path` with its `..` resolved.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                assert!(normal.pop(), "{} leaves the repository", path.display());
            }
            Component::CurDir => {}
            part => normal.push(part),
        }
    }
    normal
}

/// What a link on `page` is about, and the heading it names.
fn target<'l>(page: &Path, link: &'l str) -> (PathBuf, Option<&'l str>) {
    let (path, heading) = match link.split_once('#') {
        Some((path, heading)) => (path, Some(heading)),
        None => (link, None),
    };
    if path.is_empty() {
        return (page.to_owned(), heading);
    }
    let folder = page.parent().unwrap_or(Path::new(""));
    (normal(&folder.join(path)), heading)
}

fn is_elsewhere(link: &str) -> bool {
    ["https://", "http://", "mailto:"]
        .iter()
        .any(|scheme| link.starts_with(scheme))
}

#[test]
fn links_lead_to_files_and_headings() {
    let mut wrong = Vec::new();
    for page in pages() {
        for link in Page::new(&read(&page)).links {
            if is_elsewhere(&link) {
                continue;
            }
            let (path, heading) = target(&page, &link);
            let says = |what: &str| format!("{}: {link}: {what}", page.display());
            if !root().join(&path).exists() {
                wrong.push(says("there is no such file"));
            } else if let Some(heading) = heading
                && !Page::new(&read(&path)).anchors.iter().any(|a| a == heading)
            {
                wrong.push(says("there is no such heading"));
            } else if page.starts_with("docs") && !path.starts_with("docs") {
                wrong.push(says("the book does not have it: name the path instead"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_book_has_every_page() {
    let summary = Path::new("docs/SUMMARY.md");
    let links = Page::new(&read(summary)).links;
    let mut chapters: Vec<PathBuf> = links.iter().map(|link| target(summary, link).0).collect();
    chapters.sort();
    let mut pages = pages_below("docs");
    pages.retain(|page| page != summary);
    assert_eq!(chapters, pages, "docs/SUMMARY.md and the pages below docs/");
}
