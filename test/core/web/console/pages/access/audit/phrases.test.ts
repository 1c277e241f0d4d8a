import * as assert from "uvu/assert";
import type { Subject } from "../../../../../../../core/web/console/pages/access/audit/told.ts";
import { words as german } from "../../../../../../../core/web/console/pages/access/audit/words/de.ts";
import { words as french } from "../../../../../../../core/web/console/pages/access/audit/words/fr.ts";
import { words as spanish } from "../../../../../../../core/web/console/pages/access/audit/words/es.ts";
import { suite } from "../../../../../../support/suite.ts";

type Table = typeof german;

/** Returns a phrase as text, with the names of records. */
const tell = (parts: readonly (string | Subject)[]): string =>
  parts
    .map((part) => {
      if (typeof part === "string") return part;
      const { noun, name } = part;
      if (name === undefined) return noun.some;
      return noun.named === "" || noun.named.endsWith("’")
        ? `${noun.named}${name}`
        : `${noun.named} ${name}`;
    })
    .join("");

const subject = (words: Table, resource: string, name?: string): Subject => ({
  noun: words.nouns[resource] ?? { named: "", some: "" },
  ...(name !== undefined && { name }),
});

suite("core/web/console/pages/access/audit: phrases in other languages", (test) => {
  test("German nouns and their adjectives decline after prepositions", () => {
    const { left, opened, linked } = german.links;
    const of = (resource: string, name?: string) => subject(german, resource, name);
    const channel = of("channel", "Desk");
    assert.is(
      tell(left(channel, of("savedview"))),
      "hat Kanal Desk aus einer gespeicherten Ansicht entfernt",
    );
    assert.is(
      tell(left(channel, of("savedview", "Montage"))),
      "hat Kanal Desk aus gespeicherter Ansicht Montage entfernt",
    );
    assert.is(german.afterOf(of("dashboard")).noun.some, "einem Dashboard");
    assert.is(tell(opened(of("dashboard"))), "hat einen privaten Link zu einem Dashboard erstellt");
    assert.is(
      tell(linked(of("savedview", "Montage"), of("securable"))),
      "hat gespeicherte Ansicht Montage mit einem Datensatz oder einem Dashboard verknüpft",
    );
    assert.is(
      tell(german.events["delete"]?.(of("share", "Presse")) ?? []),
      "hat privaten Link Presse gelöscht",
    );
  });

  test("French prepositions are elided before vowels and contracted with articles", () => {
    const of = (resource: string, name?: string) => subject(french, resource, name);
    assert.is(tell(french.links.ranked(of("user", "Ada"))), "a défini le rôle d’Ada");
    assert.is(tell(french.links.ranked(of("user", "Rita"))), "a défini le rôle de Rita");
    assert.is(
      tell(french.links.left(of("user", "Rita"), of("group", "Presse"))),
      "a retiré Rita du groupe Presse",
    );
  });

  test("in Spanish, people follow the preposition a", () => {
    const of = (resource: string, name?: string) => subject(spanish, resource, name);
    assert.is(tell(spanish.changedMembers(of("user", "Ada"), "rol")), "cambió a Ada (rol)");
    assert.is(
      tell(spanish.links.joined(of("user", "Ada"), of("group", "Prensa"))),
      "añadió a Ada al grupo Prensa",
    );
  });
});
