//! Which app is meant by a dependency, and in which order apps build on one another.
//!
//! In a workspace a project stands in for the package of its app. Where several projects have the id of one app (layers
//! of one app for several countries), each dependent takes the one nearest to it: the one that shares most of its path,
//! the first in the order given among those. In Microsoft's public BCApps, 2 of 872 ids occur more than once: `DemoTool`
//! in four projects and `Tests-Local` in three, both among the layers of countries.

use std::collections::HashMap;

use crate::universe::{AppDescription, AppId};

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
    /// Whether it is built with the feature `NoImplicitWith`.
    pub names_its_records: bool,
}

impl AppIdentity {
    /// What a universe is told about the app, once it is known which of its dependencies are there.
    pub fn description(&self, dependencies: &[AppId], has_missing_dependencies: bool) -> AppDescription {
        AppDescription {
            name: self.name.clone(),
            dependencies: dependencies.to_vec(),
            has_missing_dependencies,
            names_its_records: self.names_its_records,
        }
    }
}

/// Apps that see each other, in their place among the others. Mostly it is one app alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AppGroup {
    /// The indices of the apps among those given.
    pub apps: Vec<usize>,
    /// The indices of the apps outside that some of them depend on and that are there; all come before.
    pub dependencies: Vec<usize>,
    /// Whether some dependency is not there.
    pub has_missing_dependencies: bool,
}

/// Puts apps into an order in which each comes behind its dependencies.
///
/// A project inside the folder of another makes one group with it: the compiler takes all files below a project's folder,
/// so the outer app is built out of both. A dependency that would close a circle is left out and counted as missing.
pub fn arrange(apps: &[AppIdentity]) -> Vec<AppGroup> {
    let mut by_id: HashMap<String, Vec<usize>> = HashMap::new();
    let mut applications = Vec::new();
    for (index, app) in apps.iter().enumerate() {
        if !app.id.is_empty() {
            by_id.entry(normal(&app.id)).or_default().push(index);
        }
        if app.name.eq_ignore_ascii_case("Application") && app.publisher.eq_ignore_ascii_case("Microsoft") {
            applications.push(index);
        }
    }
    let group_of = groups(apps);
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); apps.len()];
    let mut wanted: Vec<(Vec<usize>, bool)> = vec![(Vec::new(), false); apps.len()];
    for (index, app) in apps.iter().enumerate() {
        let group = group_of[index];
        members[group].push(index);
        let mut want = |candidates: &[usize]| match nearest(apps, index, candidates) {
            Some(dependency) if group_of[dependency] == group => {}
            Some(dependency) => wanted[group].0.push(dependency),
            None => wanted[group].1 = true,
        };
        for id in &app.dependencies {
            want(by_id.get(&normal(id)).map_or(&[], Vec::as_slice));
        }
        // The app `Application` itself, and what it is made of, name no version of it.
        if app.needs_application && !applications.contains(&index) {
            want(&applications);
        }
    }
    for (dependencies, _) in &mut wanted {
        dependencies.sort_unstable();
        dependencies.dedup();
    }
    let mut order = Order {
        group_of,
        members,
        wanted,
        states: vec![State::New; apps.len()],
        arranged: Vec::with_capacity(apps.len()),
    };
    for index in 0..apps.len() {
        order.place(order.group_of[index]);
    }
    order.arranged
}

/// The group of each app, by the index of its outermost project.
fn groups(apps: &[AppIdentity]) -> Vec<usize> {
    let by_folder: HashMap<&str, usize> = apps
        .iter()
        .enumerate()
        .map(|(index, app)| (app.folder.as_str(), index))
        .collect();
    let outermost = |index: usize| {
        let mut group = index;
        let mut folder = apps[index].folder.as_str();
        while let Some((outer, _)) = folder.rsplit_once('/') {
            folder = outer;
            if let Some(&found) = by_folder.get(folder).filter(|_| !folder.is_empty()) {
                group = found;
            }
        }
        group
    };
    (0..apps.len()).map(outermost).collect()
}

fn normal(id: &str) -> String {
    id.trim_matches(['{', '}', ' ']).to_ascii_lowercase()
}

fn nearest(apps: &[AppIdentity], from: usize, candidates: &[usize]) -> Option<usize> {
    let shared = |candidate: usize| {
        let mine = apps[from].folder.split('/');
        mine.zip(apps[candidate].folder.split('/'))
            .take_while(|(left, right)| left == right)
            .count()
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
    group_of: Vec<usize>,
    /// By group, as are the others.
    members: Vec<Vec<usize>>,
    wanted: Vec<(Vec<usize>, bool)>,
    states: Vec<State>,
    arranged: Vec<AppGroup>,
}

impl Order {
    /// Places a group behind its dependencies; without recursion, chains of dependencies may be long.
    fn place(&mut self, first: usize) {
        let mut open = vec![first];
        while let Some(&group) = open.last() {
            if self.states[group] == State::Placed {
                open.pop();
                continue;
            }
            self.states[group] = State::Open;
            let dependencies = self.wanted[group].0.iter().map(|&it| self.group_of[it]);
            let next = dependencies.into_iter().find(|&it| self.states[it] == State::New);
            if let Some(next) = next {
                open.push(next);
                continue;
            }
            let (mut dependencies, is_missing) = std::mem::take(&mut self.wanted[group]);
            let count = dependencies.len();
            dependencies.retain(|&it| self.states[self.group_of[it]] == State::Placed);
            self.arranged.push(AppGroup {
                apps: std::mem::take(&mut self.members[group]),
                has_missing_dependencies: is_missing || dependencies.len() < count,
                dependencies,
            });
            self.states[group] = State::Placed;
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

    fn order(apps: &[AppIdentity]) -> Vec<(Vec<usize>, Vec<usize>, bool)> {
        let arranged = arrange(apps).into_iter();
        arranged
            .map(|it| (it.apps, it.dependencies, it.has_missing_dependencies))
            .collect()
    }

    #[test]
    fn dependencies_come_first() {
        let apps = [
            app("a", "a", &["{C}", "b"]),
            app("b", "b", &["c"]),
            app("c", "c", &["x"]),
        ];
        assert_eq!(
            order(&apps),
            [
                (vec![2], vec![], true),
                (vec![1], vec![2], false),
                (vec![0], vec![1, 2], false)
            ]
        );
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
        assert_eq!(
            dependencies,
            [
                (vec![0], vec![]),
                (vec![1], vec![]),
                (vec![2], vec![1]),
                (vec![3], vec![0])
            ]
        );
    }

    #[test]
    fn a_circle_is_cut() {
        let apps = [app("a", "a", &["b"]), app("b", "b", &["a"])];
        assert_eq!(order(&apps), [(vec![1], vec![], true), (vec![0], vec![1], false)]);
    }

    #[test]
    fn a_version_of_the_application_is_a_dependency() {
        let mut application = app("x", "x", &[]);
        application.name = "Application".to_owned();
        application.publisher = "Microsoft".to_owned();
        let mut other = app("a", "a", &[]);
        other.needs_application = true;
        assert_eq!(
            order(&[other, application]),
            [(vec![1], vec![], false), (vec![0], vec![1], false)]
        );
    }

    #[test]
    fn a_project_in_another_is_built_with_it() {
        let apps = [
            app("outer", "o", &["a"]),
            app("inner", "o/x/i", &["outer", "b"]),
            app("a", "a", &[]),
            app("b", "b", &[]),
        ];
        assert_eq!(
            order(&apps),
            [
                (vec![2], vec![], false),
                (vec![3], vec![], false),
                (vec![0, 1], vec![2, 3], false)
            ]
        );
    }
}
