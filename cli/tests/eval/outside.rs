//! A manifest reads nothing outside of its folder.

use crate::support::Repo;

#[test]
fn files_of_a_case_are_below_its_folder() {
    let dir = Repo::none();
    let write = |name: &str, text: &str| {
        let path = dir.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("secret.csv", "user,pw\nroot,hunter2\n");
    write("m/grid/c/x.csv", "a,b\n1,2\n");
    let absolute = dir.path("secret.csv").to_string_lossy().into_owned();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(dir.path("secret.csv"), dir.path("m/grid/c/link.csv")).unwrap();
        std::fs::create_dir_all(dir.path("elsewhere")).unwrap();
        write("elsewhere/secret.csv", "user,pw\nroot,hunter2\n");
        std::os::unix::fs::symlink(dir.path("elsewhere"), dir.path("m/grid/c/away")).unwrap();
    }
    for file in [
        "../../../secret.csv",
        &absolute,
        "link.csv",
        "away/secret.csv",
        "../c/../../../secret.csv",
    ] {
        let manifest = format!(
            "grid:\n  - name: c\n    files: [\"x.csv\", \"{file}\"]\n    expect: {{ops: []}}\n"
        );
        write("m/manifest.yaml", &manifest);
        let ran = dir.eval(&["m/manifest.yaml", "--report", "page.html"]);
        let page = std::fs::read_to_string(dir.path("page.html")).unwrap_or_default();
        assert!(!page.contains("hunter2"), "{file}");
        assert!(!ran.text().contains("hunter2"), "{file}");
        let said = format!("{}{}", ran.text(), ran.err);
        assert!(!said.is_empty(), "{file}");
    }
}
