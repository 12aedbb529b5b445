//! A desk in the same process that says yes to every yes-or-no question at once.

use actix::{Actor, Addr, Context, Handler, Message};
use actors::messages::{DeskMail, DeskSaid, Seat};
use actors::router::{DeskInfo, Router, Said, Seated};
use codec::json::Json;
use codec::tunnel::{AnswerSource, QuestionKind};

/// The desk, in its place as soon as it has one.
pub(super) struct Desk {
    router: Addr<Router>,
    seated: Option<Seated>,
}

#[derive(Message)]
#[rtype(result = "()")]
struct SitDown(Seated);

impl Desk {
    /// A desk that is seated.
    pub(super) async fn at(router: &Addr<Router>) -> Addr<Self> {
        let desk = Self { router: router.clone(), seated: None }.start();
        let info = DeskInfo::new("terminal", AnswerSource::Terminal);
        let seated = router.send(Seat { desk: info, mail: desk.clone().recipient() }).await.unwrap();
        desk.send(SitDown(seated)).await.unwrap();
        desk
    }
}

impl Actor for Desk {
    type Context = Context<Self>;
}

impl Handler<SitDown> for Desk {
    type Result = ();

    fn handle(&mut self, SitDown(seated): SitDown, _: &mut Self::Context) {
        self.seated = Some(seated);
    }
}

impl Handler<DeskMail> for Desk {
    type Result = ();

    fn handle(&mut self, mail: DeskMail, _: &mut Self::Context) {
        if let DeskMail::Offered(offer) = mail
            && offer.question.kind() == QuestionKind::Confirm
        {
            let desk = self.seated.as_ref().unwrap().id();
            let said = Said::Answer(Json::parse("true").unwrap());
            self.router.do_send(DeskSaid { desk, key: offer.key.clone(), said });
        }
    }
}
