//! Trouble with the API and with the command line.

use crate::claude::{Claude, Version};
use crate::driver::Session;
use crate::messages_api::{Api, Kind, Script, main};

with_both_versions![
    a_refused_key_is_an_error_result_of_subtype_success,
    a_busy_api_is_asked_again_and_the_person_is_told,
    a_stream_that_is_cut_in_its_first_block_is_asked_for_again,
    a_stream_that_errs_after_a_block_goes_on_in_the_new_one_only,
    a_stream_that_is_cut_after_a_block_is_a_success,
    a_bad_flag_gives_no_result_and_1,
];

/// Section 3: "result subtype success with is_error true", and 1.
fn a_refused_key_is_an_error_result_of_subtype_success(claude: &Claude) {
    let api = Api::start(Script::new().turn(main().always().fails(401)));
    let mut session = Session::start(claude, &api, &[]);
    session.say("go");
    let result = session.result();
    assert_eq!((&result["is_error"], &result["subtype"]), (&true.into(), &"success".into()));
    assert_eq!(result["api_error_status"], 401);
    assert_eq!(session.ended(), Some(1));
    let synthetic = session.seen().iter().filter(|line| line["message"]["model"] == "<synthetic>");
    assert_eq!(synthetic.count(), 1);
}

/// Section 3: `api_retry`.
fn a_busy_api_is_asked_again_and_the_person_is_told(claude: &Claude) {
    let busy = main().fails(529).retry_after(0).times(2);
    let api = Api::start(Script::new().turn(busy).turn(main().text("At last.")));
    let mut session = Session::start(claude, &api, &[]);
    session.say("go");
    for attempt in 1..=2 {
        let retry = session.system("api_retry");
        assert_eq!((&retry["attempt"], &retry["error_status"]), (&attempt.into(), &529.into()));
    }
    assert_eq!(session.result()["result"], "At last.");
    assert_eq!(api.requests_of(Kind::Main, 3).len(), 3);
    assert_eq!(session.ended(), Some(0));
}

/// Section 3, of which this is more: the new one begins anew and says so, the old one asks without a stream.
fn a_stream_that_is_cut_in_its_first_block_is_asked_for_again(claude: &Claude) {
    let api = Api::start(Script::new().turn(main().opens("Ha").cut()).turn(main().text("Whole.")));
    let mut session = Session::start(claude, &api, &[]);
    session.say("go");
    assert_eq!(session.result()["result"], "Whole.");
    assert_eq!(session.ended(), Some(0));
    let retries: Vec<_> = session.seen().iter().filter(|line| line["subtype"] == "api_retry").collect();
    let again = &api.requests_of(Kind::Main, 2)[1].body["stream"];
    match claude.version {
        Version::New => assert!(retries.len() == 1 && retries[0]["error_status"].is_null() && *again == true),
        Version::Old => assert!(retries.is_empty() && *again != true),
    }
}

/// Section 3, "a cut or errored stream": the new one has the model go on, the old one gives up.
fn a_stream_that_errs_after_a_block_goes_on_in_the_new_one_only(claude: &Claude) {
    let script = Script::new().turn(main().text("Ha").errs("overloaded_error")).turn(main().text("Whole."));
    let api = Api::start(script);
    let mut session = Session::start(claude, &api, &[]);
    session.say("go");
    let result = session.result();
    let synthetic = session.seen().iter().filter(|line| line["isSynthetic"] == true).count();
    match claude.version {
        Version::New => assert_eq!((synthetic, &result["result"]), (1, &"Whole.".into())),
        Version::Old => assert_eq!((synthetic, &result["is_error"]), (0, &true.into())),
    }
    assert_eq!(session.ended(), Some(i32::from(claude.version == Version::Old)));
}

/// Section 3, of which this is more: the new one has the model go on, the old one takes what it got for the whole.
fn a_stream_that_is_cut_after_a_block_is_a_success(claude: &Claude) {
    let api = Api::start(Script::new().turn(main().text("Ha").cut()).turn(main().text("Whole.")));
    let mut session = Session::start(claude, &api, &[]);
    session.say("go");
    let result = session.result();
    assert_eq!(result["is_error"], false);
    assert_eq!(result["result"], if claude.version == Version::New { "Whole." } else { "Ha" });
    assert_eq!(session.ended(), Some(0));
}

/// Section 1: start-up errors are text on stderr only.
fn a_bad_flag_gives_no_result_and_1(claude: &Claude) {
    let api = Api::start(Script::new());
    let mut session = Session::start(claude, &api, &["--no-such-flag"]);
    assert_eq!(session.ended(), Some(1));
    assert!(session.seen().is_empty(), "{:?}", session.seen());
    assert!(session.stderr().contains("no-such-flag"));
}
