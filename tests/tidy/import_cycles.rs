//! No module of a crate imports another that, directly or not, imports it: not at the top, and not among the children
//! of a module. A module and those inside it may know each other. What a module re-exports counts as imported from
//! where it is defined.

use std::collections::{BTreeMap, BTreeSet};

use super::rust_source::{code, without_tests};
use super::{assert_none, program_without_tests};

/// The modules of a crate by their paths from its root, with their code.
type Modules = BTreeMap<Vec<String>, String>;

/// The modules beside it that each child of a module imports, itself or in one of its own children.
type Imports = BTreeMap<String, BTreeSet<String>>;

/// Every crate, by the directory of its sources.
fn crates() -> BTreeMap<String, Modules> {
    let mut crates: BTreeMap<String, Modules> = BTreeMap::new();
    for file in program_without_tests() {
        let (directory, path) = file.path.split_once("/src/").expect("a source of a crate");
        let path = path.trim_end_matches(".rs").trim_end_matches("/mod");
        if !["main", "build"].contains(&path) {
            let source = without_tests(&code(&file.text)).to_owned();
            let names = path.split('/').filter(|name| *name != "lib");
            let modules = crates.entry(directory.to_owned()).or_default();
            modules.insert(names.map(str::to_owned).collect(), source);
        }
    }
    crates
}

/// The imports among the children of each module of a crate, by the path of that module.
fn imports_among_siblings(modules: &Modules) -> BTreeMap<String, Imports> {
    let mut all: BTreeMap<String, Imports> = BTreeMap::new();
    for (module, source) in modules {
        for path in paths(source) {
            let Some(named) = resolve(module, &path, modules) else {
                continue;
            };
            let parted = module
                .iter()
                .zip(&named)
                .position(|(own, other)| own != other);
            if let Some(depth) = parted {
                let imports = all.entry(module[..depth].join("/")).or_default();
                imports.entry(named[depth].clone()).or_default();
                let imported = imports.entry(module[depth].clone()).or_default();
                imported.insert(named[depth].clone());
            }
        }
    }
    all
}

/// The module that a path in another module leads to or into, where it is of the same crate.
fn resolve(module: &[String], path: &[&str], modules: &Modules) -> Option<Vec<String>> {
    let supers = path.iter().take_while(|name| **name == "super").count();
    let (start, rest) = match path[0] {
        "crate" => (&[][..], &path[1..]),
        "self" => (module, &path[1..]),
        "super" => (
            &module[..module.len().checked_sub(supers)?],
            &path[supers..],
        ),
        // What is neither is beside nothing: a child, or another crate.
        _ => return None,
    };
    Some(descend(start.to_vec(), rest, modules))
}

/// The module to which names lead from a module: its children, and where a re-export of the last of them comes from.
fn descend(mut named: Vec<String>, mut names: &[&str], modules: &Modules) -> Vec<String> {
    while let [name, rest @ ..] = names {
        named.push((*name).to_owned());
        if !modules.contains_key(&named) {
            named.pop();
            break;
        }
        names = rest;
    }
    let defined = names
        .first()
        .and_then(|name| definition(&named, name, modules));
    defined.unwrap_or(named)
}

/// The module from which another has a name that it re-exports.
fn definition(module: &[String], name: &str, modules: &Modules) -> Option<Vec<String>> {
    let exports = re_exports(modules.get(module)?);
    exports.iter().find_map(|path| match path[..] {
        [ref place @ .., "*"] => {
            let from = descend(module.to_vec(), place, modules);
            let defines = tokens(&modules[&from])
                .zip(tokens(&modules[&from]).skip(1))
                .any(|(kind, defined)| DEFINITIONS.contains(&kind) && defined == name);
            defines
                .then(|| from.clone())
                .or_else(|| definition(&from, name, modules))
        }
        [.., last] if last == name => {
            let from = match path[0] {
                "crate" | "self" | "super" => resolve(module, path, modules)?,
                _ => descend(module.to_vec(), path, modules),
            };
            (from != module).then_some(from)
        }
        _ => None,
    })
}

/// What comes before a name where it is defined.
const DEFINITIONS: [&str; 7] = ["struct", "enum", "trait", "type", "fn", "const", "static"];

/// The paths that a module re-exports; `*` is the last of one that names all.
fn re_exports(source: &str) -> Vec<Vec<&str>> {
    let mut found = Vec::new();
    let mut rest = source;
    while let Some((_, after)) = rest.split_once("pub") {
        rest = after;
        let visible = match after.strip_prefix('(') {
            Some(within) => within.split_once(')').map_or("", |(_, after)| after),
            None => after,
        };
        let Some(path) = visible.trim_start().strip_prefix("use ") else {
            continue;
        };
        let path = path.split_once(';').map_or(path, |(path, _)| path);
        found.extend(match path.strip_suffix("::*") {
            Some(place) => vec![place.split("::").chain(["*"]).collect()],
            None => paths(path),
        });
    }
    found
}

/// The paths of more than one name in some code, those in groups one by one: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn paths(source: &str) -> Vec<Vec<&str>> {
    let (mut found, mut groups) = (Vec::new(), Vec::new());
    let (mut path, mut before) = (Vec::new(), "");
    for token in tokens(source) {
        let is_name = token.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_');
        let continues = before == "::" && (is_name || token == "{") || token == "::";
        if !continues {
            found.push(std::mem::take(&mut path));
        }
        match token {
            "{" => groups.push(std::mem::take(&mut path)),
            "}" => drop(groups.pop()),
            _ if is_name => {
                if let ("{" | ",", Some(group)) = (before, groups.last()) {
                    path.clone_from(group);
                }
                path.push(token);
            }
            _ => {}
        }
        before = token;
    }
    found.push(path);
    found.retain(|path| path.len() > 1);
    found
}

/// Names, `::`, and every other sign by itself.
fn tokens(source: &str) -> impl Iterator<Item = &str> {
    let mut rest = source;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let is_sign = |letter: char| !letter.is_alphanumeric() && letter != '_';
        let end = match rest.find(is_sign).unwrap_or(rest.len()) {
            0 if rest.starts_with("::") => 2,
            0 => rest.chars().next()?.len_utf8(),
            end => end,
        };
        let (token, left) = rest.split_at(end);
        rest = left;
        Some(token)
    })
}

/// A way from a module back to itself.
fn cycle<'i>(imports: &'i Imports, path: &mut Vec<&'i str>, seen: &mut BTreeSet<&'i str>) -> bool {
    let last = path[path.len() - 1];
    for next in &imports[last] {
        if path.contains(&next.as_str()) {
            path.push(next);
            return true;
        }
        if seen.insert(next) {
            path.push(next);
            if cycle(imports, path, seen) {
                return true;
            }
            path.pop();
        }
    }
    false
}

fn cycles(imports: &Imports) -> Option<String> {
    let mut seen = BTreeSet::new();
    imports.keys().find_map(|module| {
        let mut path = vec![module.as_str()];
        cycle(imports, &mut path, &mut seen).then(|| path.join(" -> "))
    })
}

#[test]
fn no_module_imports_one_that_imports_it() {
    let crates = crates();
    assert!(crates.len() > 10, "all crates are looked at");
    let mut findings = Vec::new();
    for (directory, modules) in &crates {
        for (parent, imports) in imports_among_siblings(modules) {
            let cycle = cycles(&imports);
            findings.extend(cycle.map(|cycle| format!("{directory}/src/{parent}: {cycle}")));
        }
    }
    assert_none("import cycles", &findings);
}

#[test]
fn paths_are_read() {
    let source = "use crate::{a::{b as x, c}, d};\nuse super::e;\npub(in super::super) fn f() { self::g::h(), i }";
    let read: Vec<String> = paths(source).iter().map(|path| path.join("::")).collect();
    let expected = [
        "crate::a::b",
        "crate::a::c",
        "crate::d",
        "super::e",
        "super::super",
        "self::g::h",
    ];
    assert_eq!(read, expected);
}

#[test]
fn cycles_are_found_at_any_depth() {
    let modules = |sources: &[(&str, &str)]| -> Modules {
        let owned = |path: &str| {
            let names = path.split('/').filter(|name| !name.is_empty());
            names.map(str::to_owned).collect()
        };
        let sources = sources.iter();
        sources
            .map(|(path, source)| (owned(path), (*source).to_owned()))
            .collect()
    };
    let found = |sources: &[(&str, &str)]| -> Vec<String> {
        let imports = imports_among_siblings(&modules(sources));
        let found = imports.iter();
        let found =
            found.filter_map(|(parent, imports)| Some(format!("{parent}: {}", cycles(imports)?)));
        found.collect()
    };
    let parent_and_child = [
        ("a", "use self::b::B;"),
        ("a/b", "use super::A;"),
        ("a/c", "use super::b::B;"),
    ];
    assert!(found(&parent_and_child).is_empty());
    let nested = [
        ("a", ""),
        ("a/b", "use super::c::C;"),
        ("a/c/d", "let b = crate::a::b::B;"),
        ("a/c", ""),
    ];
    assert_eq!(found(&nested), ["a: b -> c -> b"]);
    let cousins = [
        ("a", ""),
        ("a/b", "use crate::c::d::D;"),
        ("c", ""),
        ("c/d", "use super::super::a;"),
    ];
    assert_eq!(found(&cousins), [": a -> c -> a"]);
    let by_way_of_the_root = [
        ("", "pub use a::A;\npub(crate) use b::*;"),
        ("a", "use super::B;\npub struct A;"),
        ("b", "use crate::{A, C};\npub struct B;"),
    ];
    assert_eq!(found(&by_way_of_the_root), [": a -> b -> a"]);
}
