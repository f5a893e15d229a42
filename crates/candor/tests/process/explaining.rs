use super::{Ended, candor};

#[test]
fn all_checks_are_listed_and_each_has_a_page() {
    let all = Ended::of(&candor().arg("explain").output().unwrap());
    assert_eq!(all.code, 0);
    let ids: Vec<&str> = all
        .out
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next())
        .collect();
    assert!(ids.len() > 30, "{ids:?}");
    for id in ids {
        let page = Ended::of(&candor().args(["explain", id]).output().unwrap());
        assert_eq!(page.code, 0, "{page:?}");
        assert!(page.out.starts_with(&format!("# {id} ")), "{}", page.out);
        assert!(page.out.contains("**What to do:**"), "{}", page.out);
    }
}

#[test]
fn a_name_serves_as_well_as_an_id_and_a_strange_one_is_refused() {
    let page = Ended::of(&candor().args(["explain", "title-missing"]).output().unwrap());
    assert!(page.out.contains("title-missing"), "{page:?}");
    let strange = Ended::of(&candor().args(["explain", "X999"]).output().unwrap());
    assert_eq!(strange.code, 2);
    assert!(strange.errors.contains("`candor explain` lists all"), "{strange:?}");
}
