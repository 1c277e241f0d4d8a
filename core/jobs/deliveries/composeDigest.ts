import type { Knex } from "knex";
import type { Records, ResourceRow } from "../../base/index.ts";
import type { Notice } from "../alerts/step.ts";
import { countsOf, localeIn } from "./createMessage.ts";
import { type DigestedAlert, isBeginning, type Message, mostRows } from "./message.ts";
import { namesOf } from "./namesOf.ts";
import { wordsIn } from "./words/wordsIn.ts";
import { localizedText } from "../../web/charts/index.ts";

export interface DigestOptions {
  readonly records: Records;
  readonly knex: Knex;
  readonly publicUrl: () => string;
}

/** Maximum number of alerts that a digest names. Further alerts are only counted. */
const mostAlerts = 1_000;

interface Member {
  readonly id: string;
  readonly name: string | Readonly<Record<string, string>>;
  readonly slot_at: Date;
  readonly rows: number | null;
  readonly notices: readonly Notice[];
}

/**
 * Creates the message of a digest. It contains the alerts whose deliveries are waiting in the digest, ordered by slot,
 * each with its notices and row count, but no cells of answers. Returns undefined if no delivery is waiting, for
 * example because the alerts were deleted.
 */
export async function composeDigest(
  digestId: string,
  channel: ResourceRow<"channel">,
  { records, knex, publicUrl }: DigestOptions,
): Promise<Message | undefined> {
  const members: Member[] = await knex("delivery as d")
    .join("alertevent as e", "e.id", "d.alertevent_id")
    .join("alert as a", "a.id", "e.alert_id")
    .where({ "d.digest_id": digestId, "d.outcome": "waiting" })
    .select("a.id", "a.name", "e.slot_at", "e.rows", "e.notices")
    .orderBy(["e.slot_at", "a.id"]);
  const last = members.at(-1);
  if (!last) return undefined;
  const [owner] = await records.find("user", { id: channel.user_id });
  const locale = localeIn(owner);
  const words = wordsIn(locale);
  const alerts = members
    .slice(0, mostAlerts)
    .map(({ id, name, slot_at, rows, notices }): DigestedAlert => ({
      alertId: id,
      name: namesOf(name),
      noticeCounts: countsOf(notices),
      slotMs: slot_at.getTime(),
      rowCount: rows,
      link: `${publicUrl()}/alerts/${id}`,
    }));
  return {
    kind: "digest",
    alertId: null,
    name: channel.name === null ? { en: channel.type } : namesOf(channel.name),
    notices: [],
    noticeCounts: countsOf(members.flatMap(({ notices }) => notices)),
    condition: "",
    slotMs: last.slot_at.getTime(),
    zone: owner?.timezone_id ?? "UTC",
    queryZone: "UTC",
    locale,
    heads: [words.alert, words.state, words.due, words.rows, words.open],
    forms: ["text", "text", "instant", "number", "text"],
    rows: alerts
      .slice(0, mostRows)
      .map((each) => [
        localizedText(each.name, locale),
        isBeginning(each) ? words.firing : words.isResolved,
        new Date(each.slotMs).toISOString(),
        each.rowCount,
        each.link,
      ]),
    rowCount: members.length,
    alerts,
    link: `${publicUrl()}/alerts`,
  };
}
