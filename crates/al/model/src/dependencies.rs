//! Which app is meant by a dependency, and in which order apps build on one another.
//!
//! In a workspace a project stands in for the package of its app. Where several projects have the id of one app (layers
//! of one app for several countries), each dependent takes the one nearest to it: the one that shares most of its path,
//! the first in the order given among those. In Microsoft's public BCApps, 2 of 872 ids occur more than once: `DemoTool`
//! in four projects and `Tests-Local` in three, both among the layers of countries.

use std::collections::HashMap;

/// What the manifest of an app says about its place among others.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AppIdentity {
    /// Its id as written.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its publisher.
    pub publisher: String,
    /// Where it is, with `/` between folders.
    pub folder: String,
    /// The ids of its dependencies as written.
    pub dependencies: Vec<String>,
    /// Whether it names a version of the application, which stands for a dependency on the app `Application` of
    /// Microsoft.
    pub needs_application: bool,
}

/// An app in its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArrangedApp {
    /// Its index among the apps given.
    pub index: usize,
    /// The indices of its dependencies that are there; all come before it.
    pub dependencies: Vec<usize>,
    /// Whether some dependency is not there.
    pub has_missing_dependencies: bool,
}

/// Puts apps into an order in which each comes behind its dependencies. A dependency that would close a circle is left
/// out and counted as missing.
pub fn arrange(apps: &[AppIdentity]) -> Vec<ArrangedApp> {
    let mut by_id: HashMap<String, Vec<usize>> = HashMap::new();
    let mut applications = Vec::new();
    for (index, app) in apps.iter().enumerate() {
        by_id.entry(normal(&app.id)).or_default().push(index);
        if app.name.eq_ignore_ascii_case("Application") && app.publisher.eq_ignore_ascii_case("Microsoft") {
            applications.push(index);
        }
    }
    let mut wanted: Vec<(Vec<usize>, bool)> = Vec::with_capacity(apps.len());
    for (index, app) in apps.iter().enumerate() {
        let mut found = Vec::new();
        let mut is_missing = false;
        for id in &app.dependencies {
            match nearest(apps, index, by_id.get(&normal(id)).map_or(&[], Vec::as_slice)) {
                Some(dependency) => found.push(dependency),
                None => is_missing = true,
            }
        }
        if app.needs_application && !applications.contains(&index) {
            match nearest(apps, index, &applications) {
                Some(dependency) => found.push(dependency),
                None => is_missing |= found.is_empty(),
            }
        }
        found.sort_unstable();
        found.dedup();
        wanted.push((found, is_missing));
    }
    let mut order = Order {
        wanted,
        states: vec![State::New; apps.len()],
        arranged: Vec::with_capacity(apps.len()),
    };
    for index in 0..apps.len() {
        order.place(index);
    }
    order.arranged
}

fn normal(id: &str) -> String {
    id.trim_matches(['{', '}', ' ']).to_ascii_lowercase()
}

fn nearest(apps: &[AppIdentity], from: usize, candidates: &[usize]) -> Option<usize> {
    let shared = |candidate: usize| {
        let mine = apps[from].folder.split('/');
        mine.zip(apps[candidate].folder.split('/')).take_while(|(left, right)| left == right).count()
    };
    let others = candidates.iter().copied().filter(|&candidate| candidate != from);
    // The first of the best: `max_by_key` takes the last.
    others.rev().max_by_key(|&candidate| shared(candidate))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Placed,
}

struct Order {
    wanted: Vec<(Vec<usize>, bool)>,
    states: Vec<State>,
    arranged: Vec<ArrangedApp>,
}

impl Order {
    /// Places an app behind its dependencies; without recursion, chains of dependencies may be long.
    fn place(&mut self, first: usize) {
        let mut open = vec![first];
        while let Some(&index) = open.last() {
            if self.states[index] == State::Placed {
                open.pop();
                continue;
            }
            self.states[index] = State::Open;
            let next = self.wanted[index].0.iter().copied().find(|&it| self.states[it] == State::New);
            if let Some(next) = next {
                open.push(next);
                continue;
            }
            let (dependencies, is_missing) = std::mem::take(&mut self.wanted[index]);
            let count = dependencies.len();
            let placed: Vec<usize> =
                dependencies.into_iter().filter(|&it| self.states[it] == State::Placed).collect();
            self.arranged.push(ArrangedApp {
                index,
                has_missing_dependencies: is_missing || placed.len() < count,
                dependencies: placed,
            });
            self.states[index] = State::Placed;
            open.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn app(id: &str, folder: &str, dependencies: &[&str]) -> AppIdentity {
        AppIdentity {
            id: id.to_owned(),
            name: id.to_owned(),
            folder: folder.to_owned(),
            dependencies: dependencies.iter().map(|&it| it.to_owned()).collect(),
            ..AppIdentity::default()
        }
    }

    fn order(apps: &[AppIdentity]) -> Vec<(usize, Vec<usize>, bool)> {
        let arranged = arrange(apps).into_iter();
        arranged.map(|it| (it.index, it.dependencies, it.has_missing_dependencies)).collect()
    }

    #[test]
    fn dependencies_come_first() {
        let apps = [app("a", "a", &["{C}", "b"]), app("b", "b", &["c"]), app("c", "c", &["x"])];
        assert_eq!(order(&apps), [(2, vec![], true), (1, vec![2], false), (0, vec![1, 2], false)]);
    }

    #[test]
    fn the_nearest_of_several_stands_in() {
        let apps = [
            app("t", "w1/tool", &[]),
            app("t", "cz/tool", &[]),
            app("u", "cz/tests", &["t"]),
            app("v", "other", &["t"]),
        ];
        let dependencies: Vec<_> = order(&apps).into_iter().map(|it| (it.0, it.1)).collect();
        assert_eq!(dependencies, [(0, vec![]), (1, vec![]), (2, vec![1]), (3, vec![0])]);
    }

    #[test]
    fn a_circle_is_cut() {
        let apps = [app("a", "a", &["b"]), app("b", "b", &["a"])];
        assert_eq!(order(&apps), [(1, vec![], true), (0, vec![1], false)]);
    }

    #[test]
    fn a_version_of_the_application_is_a_dependency() {
        let mut application = app("x", "x", &[]);
        application.name = "Application".to_owned();
        application.publisher = "Microsoft".to_owned();
        let mut other = app("a", "a", &[]);
        other.needs_application = true;
        assert_eq!(order(&[other, application]), [(1, vec![], false), (0, vec![1], false)]);
    }
}
