//! No module of a crate imports another that, directly or not, imports it.

use std::collections::{BTreeMap, BTreeSet};

use super::rust_source::{code, without_tests};
use super::{assert_none, program_without_tests};

/// The top-level modules that each top-level module of a crate imports.
type Imports = BTreeMap<String, BTreeSet<String>>;

/// Every crate with its imports, by the directory of its sources.
fn crates() -> BTreeMap<String, Imports> {
    let mut crates: BTreeMap<String, Imports> = BTreeMap::new();
    for file in program_without_tests() {
        let (directory, path) = file.path.split_once("/src/").expect("a source of a crate");
        let path = path.trim_end_matches(".rs").trim_end_matches("/mod");
        if !["lib", "main", "build"].contains(&path) {
            let source = code(&file.text);
            let module: Vec<&str> = path.split('/').collect();
            let imports = crates.entry(directory.to_owned()).or_default();
            let imported = imports.entry(module[0].to_owned()).or_default();
            imported.extend(top_level_names(without_tests(&source), module.len()));
        }
    }
    for imports in crates.values_mut() {
        let modules: BTreeSet<String> = imports.keys().cloned().collect();
        for (module, imported) in imports {
            imported.retain(|name| name != module && modules.contains(name));
        }
    }
    crates
}

/// What some code, in a module so many levels deep, names in the root of its crate.
fn top_level_names(source: &str, depth: usize) -> Vec<String> {
    let mut names = Vec::new();
    let from_root = source
        .match_indices("crate::")
        .map(|(at, path)| at + path.len());
    for at in from_root.chain(behind_supers(source, depth)) {
        names.extend(first_names(&source[at..]));
    }
    names
}

/// Where paths go on that climb so many levels.
fn behind_supers(source: &str, depth: usize) -> impl Iterator<Item = usize> {
    let climb = "super::".repeat(depth);
    let length = climb.len();
    let starts: Vec<usize> = source.match_indices(&climb).map(|(at, _)| at).collect();
    starts.into_iter().map(move |at| at + length)
}

/// The first names of a path, which may begin with a group: `a::b` and `{a::b, c}`.
fn first_names(path: &str) -> Vec<String> {
    let name = |text: &str| -> String {
        let text = text.trim_start().chars();
        text.take_while(|letter| letter.is_alphanumeric() || *letter == '_')
            .collect()
    };
    let Some(group) = path.strip_prefix('{') else {
        return vec![name(path)];
    };
    let (mut depth, mut names, mut start) = (1, Vec::new(), 0);
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 || depth == 1 && letter == ',' {
            names.push(name(&group[start..at]));
            start = at + 1;
        }
        if depth == 0 {
            break;
        }
    }
    names
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
    let findings: Vec<String> = crates
        .iter()
        .filter_map(|(directory, imports)| Some(format!("{directory}: {}", cycles(imports)?)))
        .collect();
    assert_none("import cycles", &findings);
}

#[test]
fn imports_are_read_and_cycles_found() {
    let source = "use crate::{a::{b, c}, d};\nuse super::e::f;\nuse super::super::g;\nlet h = crate::h::i();";
    assert_eq!(top_level_names(source, 2), ["a", "d", "h", "g"]);
    let imports = |pairs: &[(&str, &[&str])]| -> Imports {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        pairs
            .iter()
            .map(|(module, names)| ((*module).to_owned(), owned(names)))
            .collect()
    };
    let none = imports(&[("a", &["b", "c"]), ("b", &["c"]), ("c", &[])]);
    assert_eq!(cycles(&none), None);
    let one = imports(&[("a", &["b"]), ("b", &["c"]), ("c", &["b"])]);
    assert_eq!(cycles(&one).as_deref(), Some("a -> b -> c -> b"));
}
