use std::sync::Arc;

use url::Url;

use super::*;
use crate::host::MemoryRoot;

fn open(files: &[(&'static str, &'static str)]) -> Result<Project, ProjectError> {
    Project::from_roots(Arc::new(MemoryRoot::new(files.iter().copied())), Vec::new(), None)
}

fn url(text: &str) -> Url {
    Url::parse(text).expect("url")
}

const THREE: &str = r#"{"name":"three","version":"0.186.0","main":"./build/three.cjs","module":"./build/three.module.js",
 "exports":{".":{"import":"./build/three.module.js","require":"./build/three.cjs"},"./addons/*":"./examples/jsm/*","./examples/jsm/*":"./examples/jsm/*"}}"#;

fn with_three() -> Project {
    let packages = MemoryRoot::new([
        ("three/package.json", THREE),
        ("three/build/three.module.js", "export const REVISION = '186';"),
        ("three/examples/jsm/controls/OrbitControls.js", "export {};"),
    ]);
    let root = MemoryRoot::new([("index.html", ""), ("src/a.js", ""), ("src/b/index.js", "")]);
    Project::from_roots(Arc::new(root), vec![Arc::new(packages)], None).expect("project")
}

#[test]
fn finds_the_entry() {
    let entry = |files: &[(&'static str, &'static str)]| open(files).map(|p| p.entry().path().to_string());
    assert_eq!(entry(&[("index.html", ""), ("other.html", ""), ("main.js", "")]).expect("entry"), "index.html");
    assert_eq!(
        entry(&[("package.json", r#"{"main":"lib/x.mjs"}"#), ("lib/x.mjs", ""), ("a.js", "")]).expect("entry"),
        "lib/x.mjs"
    );
    assert_eq!(entry(&[("scene.html", ""), ("scene.js", "")]).expect("entry"), "scene.html");
    assert_eq!(entry(&[("main.js", ""), ("util.js", ""), ("vite.config.js", "")]).expect("entry"), "main.js");
    assert_eq!(entry(&[("replay.toml", "entry = \"b.js\""), ("a.js", ""), ("b.js", "")]).expect("entry"), "b.js");
    assert!(matches!(open(&[("readme.txt", "")]), Err(ProjectError::NoEntry(_))));
    let Err(ProjectError::Ambiguous { candidates, .. }) = open(&[("a.html", ""), ("b.html", "")]) else {
        panic!("two pages must be ambiguous");
    };
    assert_eq!(candidates, ["a.html", "b.html"]);
    assert_eq!(entry(&[("dist/index.html", ""), ("dist/a.js", "")]).expect("entry"), "dist/index.html");
    let Err(ProjectError::Ambiguous { candidates, .. }) = open(&[("public/index.html", ""), ("dist/index.html", "")])
    else {
        panic!("a template and what is built from it must be ambiguous");
    };
    assert_eq!(candidates, ["public/index.html", "dist/index.html"]);
}

/// The addresses are what a browser makes of these (URL Standard, "basic URL parser").
#[test]
fn the_page_has_the_query_that_is_typed_or_set() {
    let dir = tempfile::tempdir().expect("folder");
    let at = |path: &str| dir.path().join(path);
    std::fs::write(at("index.html"), "").expect("file");
    std::fs::write(at("odd?name.html"), "").expect("file");
    let page = |path: &str, toml: &str| {
        std::fs::write(at("replay.toml"), toml).expect("file");
        Project::open(&at(path), &[]).map(|p| p.page_url().to_string())
    };
    assert_eq!(page("index.html?capture=1#x", "").expect("page"), "http://localhost/index.html?capture=1#x");
    assert_eq!(page("?seed=3", "").expect("page"), "http://localhost/index.html?seed=3");
    assert_eq!(page("index.html#shot", "").expect("page"), "http://localhost/index.html#shot");
    assert_eq!(page("odd?name.html", "").expect("page"), "http://localhost/odd%3Fname.html");
    let set = "entry = \"index.html?capture=1\"\n";
    assert_eq!(page("", set).expect("page"), "http://localhost/index.html?capture=1");
    assert_eq!(page("", &format!("{set}query = \"seed=3\"")).expect("page"), "http://localhost/index.html?seed=3");
    assert_eq!(page("?a b", set).expect("page"), "http://localhost/index.html?a%20b");
    assert!(matches!(page("none.html?x", ""), Err(ProjectError::Missing(_))));
    // Addresses beside the page lose its query.
    let project = Project::open(&at("index.html?capture=1"), &[]).expect("project").with_query("q#h");
    assert_eq!(project.page_url().as_str(), "http://localhost/index.html?q#h");
    let beside = project.resolve_module("./a.js", &project.page_url(), None).expect("address");
    assert_eq!(beside.as_str(), "http://localhost/a.js");
    assert_eq!(project.with_query("").page_url().as_str(), "http://localhost/index.html");
}

/// Node's documentation, "Subpath imports".
#[test]
fn a_package_imports_by_its_own_names() {
    let packages = MemoryRoot::new([
        (
            "kit/package.json",
            r##"{"name":"kit","imports":{"#dep":{"node":"./node.js","default":"./web.js"},"#in/*.js":"./in/*.js","#three":"three"}}"##,
        ),
        ("kit/index.js", ""),
        ("kit/web.js", ""),
        ("kit/in/a.js", ""),
        ("three/package.json", THREE),
        ("three/build/three.module.js", ""),
    ]);
    let root = MemoryRoot::new([("index.html", "")]);
    let project = Project::from_roots(Arc::new(root), vec![Arc::new(packages)], None).expect("project");
    let to = |from: &str, s: &str| project.resolve_module(s, &url(from), None).map(|u| u.path().to_owned());
    let kit = "http://localhost/node_modules/kit/index.js";
    assert_eq!(to(kit, "#dep").as_deref(), Ok("/node_modules/kit/web.js"));
    assert_eq!(to(kit, "#in/a.js").as_deref(), Ok("/node_modules/kit/in/a.js"));
    assert_eq!(to(kit, "#three").as_deref(), Ok("/node_modules/three/build/three.module.js"));
    assert!(matches!(to(kit, "#none"), Err(ResolveError::Invalid { .. })));
    assert!(matches!(to("http://localhost/index.html", "#dep"), Err(ResolveError::Invalid { .. })));
}

/// three.js' own layout: `examples/a.html` imports `../build/three.module.js`.
#[test]
fn a_page_that_reaches_above_its_folder_is_told_what_to_do() {
    let dir = tempfile::tempdir().expect("folder");
    let at = |path: &str| dir.path().join(path);
    for folder in ["examples", "build"] {
        std::fs::create_dir(at(folder)).expect("folder");
    }
    std::fs::write(at("examples/a.html"), "<script type=module src='../build/three.module.js'></script>")
        .expect("file");
    std::fs::write(at("build/three.module.js"), "").expect("file");
    let load = || {
        let project = Project::open(&at("examples/a.html"), &[]).expect("project");
        let wanted = project.page_url().join("../build/three.module.js").expect("address");
        project.load(&wanted, None).map(|_| ()).map_err(|error| error.to_string())
    };
    let refused = load().expect_err("above");
    let above = format!("with an empty replay.toml in `{}`", at("").canonicalize().expect("folder").display());
    assert!(refused.contains(above.trim_end_matches("/`")), "{refused}");
    std::fs::write(at("replay.toml"), "").expect("file");
    assert_eq!(load(), Ok(()));
}

#[test]
fn the_other_build_of_a_file_does() {
    let project = with_three();
    let page = project.page_url();
    let to = |s: &str| project.resolve_module(s, &page, None).map(|u| u.to_string());
    let three = "http://localhost/node_modules/three/build/three.module.js";
    assert_eq!(to("https://cdn.jsdelivr.net/npm/three@0.186.0/build/three.module.min.js").as_deref(), Ok(three));
    assert_eq!(
        project.warnings(),
        ["the program asks for `build/three.module.min.js` of package three, which version 0.186.0 does not have: \
        `build/three.module.js` is used instead"]
    );
    // r159 was the last with three.min.js (r160's migration guide); what is the latest has nothing newer to install.
    let refused = to("https://unpkg.com/three@latest/build/three.min.js").expect_err("no such file").to_string();
    assert!(refused.contains("npm install three@0.159.0") && !refused.contains("three@latest`"), "{refused}");
}

#[test]
fn resolves_specifiers() {
    let project = with_three();
    let page = project.page_url();
    let to = |s: &str| project.resolve_module(s, &page, None).map(|u| u.to_string());
    let three = "http://localhost/node_modules/three/build/three.module.js";
    assert_eq!(to("three").as_deref(), Ok(three));
    assert_eq!(to("https://unpkg.com/three@0.186.0/build/three.module.js").as_deref(), Ok(three));
    assert_eq!(to("https://esm.sh/three@0.186.0").as_deref(), Ok(three));
    assert_eq!(to("https://cdn.jsdelivr.net/npm/three@0.186/+esm").as_deref(), Ok(three));
    let orbit = "http://localhost/node_modules/three/examples/jsm/controls/OrbitControls.js";
    assert_eq!(to("three/addons/controls/OrbitControls.js").as_deref(), Ok(orbit));
    assert_eq!(to("three/examples/jsm/controls/OrbitControls").as_deref(), Ok(orbit));
    assert_eq!(to("https://esm.sh/three/addons/controls/OrbitControls.js").as_deref(), Ok(orbit));
    assert_eq!(to("./src/a").as_deref(), Ok("http://localhost/src/a.js"));
    assert_eq!(to("./src/b").as_deref(), Ok("http://localhost/src/b/index.js"));
    assert!(matches!(to("gsap"), Err(ResolveError::Package { .. })));
    assert!(matches!(to("three/src/secret.js"), Err(ResolveError::NotExported { .. })));
    assert!(matches!(to("https://example.com/x.js"), Err(ResolveError::Network { .. })));
    assert!(project.warnings().is_empty());
}

#[test]
fn another_version_is_said() {
    let project = with_three();
    let page = project.page_url();
    project.resolve_module("https://unpkg.com/three@0.150.0/build/three.module.js", &page, None).expect("resolves");
    assert_eq!(
        project.warnings(),
        ["the program asks for three@0.150.0, the installed version 0.186.0 is used instead"]
    );
    let missing = project
        .resolve_module("https://cdnjs.cloudflare.com/ajax/libs/three.js/r128/three.min.js", &page, None)
        .expect_err("r186 has no three.min.js");
    assert!(missing.to_string().contains("npm install three@0.128.0"), "{missing}");
}

/// As `npm link` leaves them: not read, but not in the way of what is given.
#[cfg(unix)]
#[test]
fn a_package_that_links_out_of_the_project_is_passed_over() {
    use std::fs::{create_dir_all, write};
    use std::os::unix::fs::symlink;

    let dir = tempfile::tempdir().expect("folder");
    let at = |path: &str| dir.path().join(path);
    for (folder, what) in [("elsewhere", "linked"), ("given/node_modules", "given")] {
        create_dir_all(at(folder).join("three/build")).expect("folder");
        write(at(folder).join("three/package.json"), THREE).expect("file");
        write(at(folder).join("three/build/three.module.js"), what).expect("file");
    }
    create_dir_all(at("project")).expect("folder");
    write(at("project/main.js"), "import 'three';").expect("file");
    symlink(at("elsewhere"), at("project/node_modules")).expect("link");
    let found = |given: &[PathBuf]| {
        let project = Project::open(&at("project"), given).expect("project");
        let three = project.resolve_module("three", &project.page_url(), None).ok()?;
        Some(String::from_utf8_lossy(&project.load(&three, None).ok()?.bytes).into_owned())
    };
    assert_eq!(found(&[]), None);
    assert_eq!(found(&[at("given")]).as_deref(), Some("given"));
}

#[test]
fn notes_what_was_read() {
    let project = open(&[("index.html", ""), ("a b.txt", "abc")]).expect("project");
    let asset = project.load(&url("http://localhost/a%20b.txt?v=1"), None).expect("asset");
    assert_eq!((&*asset.bytes, asset.mime), (&b"abc"[..], "text/plain"));
    let read = project.files_read();
    // SHA-256 of "abc": FIPS 180-2, B.1.
    assert_eq!(read[0].sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert!(matches!(project.load(&url("http://localhost/none.png"), None), Err(ResolveError::NotFound { .. })));
    assert!(matches!(project.load(&url("http://evil.test/x"), None), Err(ResolveError::Network { .. })));
}

#[test]
fn cdn_addresses_find_the_modules_and_decoders_of_installed_packages() {
    let package = |version: &str| -> SharedRoot {
        let manifest = THREE.replace("0.186.0", version);
        let files = [
            ("three/package.json", manifest.as_str()),
            ("three/build/three.module.js", "module"),
            ("three/build/three.cjs", "cjs"),
            ("three/examples/jsm/libs/draco/draco_decoder.wasm", version),
        ];
        Arc::new(MemoryRoot::new(files.map(|(path, text)| (path, text.as_bytes().to_vec()))))
    };
    let root = || -> SharedRoot {
        let copy = ("network/fonts.example/a b/f.woff", "font");
        Arc::new(MemoryRoot::new([("index.html", ""), copy].map(|(path, text)| (path, text.as_bytes().to_vec()))))
    };
    let project = Project::from_roots(root(), vec![package("0.150.0"), package("0.160.1")], None).expect("project");
    let text =
        |address: &str| project.load(&url(address), None).map(|a| String::from_utf8_lossy(&a.bytes).into_owned());
    // The version that is asked for, where one of several folders has it, and no warning then.
    let draco = "https://www.gstatic.com/draco/versioned/decoders/1.5.7/draco_decoder.wasm";
    let page = project.page_url();
    let module = project.resolve_module("https://unpkg.com/three@0.160?module", &page, None).expect("module");
    assert_eq!(text(module.as_str()).as_deref(), Ok("module"));
    assert_eq!(text(draco).as_deref(), Ok("0.160.1"));
    assert_eq!(project.warnings(), Vec::<String>::new());
    // One copy of a package a run: another version is told, with what is used.
    assert!(text("https://unpkg.com/three@0.150.0/build/three.module.js").is_ok());
    assert_eq!(
        project.warnings(),
        ["the program asks for three@0.150.0, the installed version 0.160.1 is used instead"]
    );
    // A copy of what is on the web, under its address.
    assert_eq!(text("https://fonts.example/a%20b/f.woff").as_deref(), Ok("font"));
    let blocked = text("https://fonts.example/g.woff").expect_err("blocked").to_string();
    assert!(blocked.contains("into the project, as network/fonts.example/g.woff"), "{blocked}");
    let without = Project::from_roots(root(), Vec::new(), None).expect("project");
    let missing = without.load(&url(draco), None).expect_err("missing").to_string();
    assert!(missing.contains("package `three` is not installed") && missing.contains("npm install three"), "{missing}");
}
