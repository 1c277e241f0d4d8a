import { account } from "./account.ts";
import { auditEvent } from "./auditEvent.ts";
import { authorization } from "./authorization.ts";
import { bounded } from "./bounded.ts";
import { column } from "./column.ts";
import { embedFilterGroup } from "./embedFilterGroup.ts";
import { type Declaration } from "./kernel/index.ts";
import { organization } from "./organization.ts";
import { plugin } from "./plugin.ts";
import { securable } from "./securable.ts";
import { user } from "./user.ts";
import { acceleration } from "./acceleration.ts";
import { aiConversation } from "./aiConversation.ts";
import { aiMessage } from "./aiMessage.ts";
import { aiMessageAsset } from "./aiMessageAsset.ts";
import { alert } from "./alert.ts";
import { channel } from "./channel.ts";
import { collection } from "./collection.ts";
import { formula } from "./formula.ts";
import { group } from "./group.ts";
import { hierarchyLevel } from "./hierarchyLevel.ts";
import { integration } from "./integration.ts";
import { schedule } from "./schedule.ts";
import { securableVersion } from "./securableVersion.ts";
import { share } from "./share.ts";
import { shareStatistic } from "./shareStatistic.ts";
import { ssoConfig } from "./ssoConfig.ts";
import { tag } from "./tag.ts";
import { theme } from "./theme.ts";
import { thumbnail } from "./thumbnail.ts";
import { country, currency, locale, timezone } from "./reference.ts";

const all = [
  organization,
  user,
  authorization,
  plugin,
  account,
  securable,
  column,
  group,
  collection,
  integration,
  formula,
  tag,
  hierarchyLevel,
  theme,
  share,
  shareStatistic,
  securableVersion,
  schedule,
  acceleration,
  channel,
  alert,
  thumbnail,
  ssoConfig,
  aiConversation,
  aiMessage,
  aiMessageAsset,
  country,
  locale,
  currency,
  timezone,
  embedFilterGroup,
  auditEvent,
];

/** Every resource of the catalog, by name. */
export const declarations: ReadonlyMap<string, Declaration> = new Map(
  bounded(all).map((declaration) => [declaration.name, declaration]),
);
