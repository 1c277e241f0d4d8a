import * as assert from "uvu/assert";
import {
  checkColumn,
  markColumn,
  sealedColumns,
} from "../../../../core/operating/secrets/sealedColumns.ts";
import { readSources } from "../../../support/importGraph.ts";
import { suite } from "../../../support/suite.ts";

const sources = readSources(["core"]);
const filesWith = (pattern: RegExp, folder = "core/") =>
  [...sources]
    .filter(([file, text]) => file.startsWith(folder) && pattern.test(text))
    .map(([file]) => file)
    .toSorted();

suite("core/operating/secrets/sealedColumns", (test) => {
  test("the list of sealed columns contains every catalog column with sealed strings", () => {
    const places = [...sealedColumns(), markColumn, checkColumn];
    assert.equal(places.map(({ table, member }) => `${table}.${member}`).toSorted(), [
      "account.code",
      "account.confirmed_for",
      "account.properties",
      "account.token",
      "alert.sticky_parameters",
      "alertevent.observation",
      "authorization.account_overrides",
      "authorization.parameter_overrides",
      "channel.config",
      "delivery.message",
      "exportevent.content",
      "host_secret.sealed",
      "plugin.previous_secret",
      "plugin.secret",
      "second_factor.secret",
      "secret_key.mark_key",
      "ssoconfig.config",
      "user.account_overrides",
      "user.parameter_overrides",
    ]);
  });

  test("every source file that seals values uses a listed column or stores no sealed value", () => {
    const columns = {
      "core/identity/factors/storedFactors.ts": "second_factor.secret",
      "core/resources/kernel/rowForm.ts": "members declared as secret or sealed",
      "core/operating/secrets/checkSecrets.ts": "host_secret.sealed",
      "core/operating/secrets/secretKeys.ts": "secret_key.mark_key",
    };
    const unstored = {
      "core/exports/files/exportLinks.ts": "links, valid for a day",
      "core/identity/factors/tickets.ts": "tickets of second factors, valid for minutes",
      "core/jobs/deliveries/unsubscribeTokens.ts": "links in e-mails",
      "core/identity/signOn/attempt.ts": "cookies of sign-ons, valid for ten minutes",
    };
    const expected = Object.keys({ ...columns, ...unstored });
    assert.equal(filesWith(/cipher\s*\.seal\(/i), expected.toSorted());
  });

  test("only the cipher and backups read the host's secret", () => {
    assert.equal(filesWith(/\breadHostSecret\(|\bcreateCipher\(/), [
      "core/catalog/cipher.ts",
      "core/catalog/hostSecret.ts",
      "core/openStorage.ts",
      "core/operating/backup/snapshotOfStopped.ts",
    ]);
    const derives =
      /import \{[^}]*\b(createHmac|hkdf(Sync)?|scrypt(Sync)?|pbkdf2(Sync)?)\b[^}]*\} from "node:crypto"/;
    assert.equal(filesWith(derives), [
      "core/catalog/cipher.ts",
      "core/catalog/postgres/template/scramVerifier.ts",
      "core/identity/access/password.ts",
      "core/jobs/deliveries/webhook.ts",
      "core/operating/backup/takeBackup.ts",
      "core/operating/backup/vault/sealing.ts",
      "core/sources/connections/fingerprint.ts",
    ]);
  });
});
