import { account } from "./sources/account.ts";
import { auditEvent } from "./people/auditEvent.ts";
import { authorization } from "./people/authorization.ts";
import { bounded } from "./rights/bounded.ts";
import { column } from "./columns/column.ts";
import { delivery } from "./automation/delivery.ts";
import { exportEvent } from "./automation/exportEvent.ts";
import { embedFilterGroup } from "./sharing/embedFilterGroup.ts";
import type { Declaration, RowOf } from "./kernel/index.ts";
import { organization } from "./people/organization.ts";
import { plugin } from "./sources/plugin.ts";
import { securable } from "./securables/securable.ts";
import { user } from "./people/user.ts";
import { acceleration } from "./automation/acceleration.ts";
import { aiConversation } from "./ai/aiConversation.ts";
import { aiMessage } from "./ai/aiMessage.ts";
import { aiMessageAsset } from "./ai/aiMessageAsset.ts";
import { alert } from "./automation/alert.ts";
import { datasetCopy } from "./automation/datasetCopy.ts";
import { alertEvent } from "./automation/alertEvent.ts";
import { channel } from "./automation/channel.ts";
import { collection } from "./securables/collection.ts";
import { formula } from "./columns/formula.ts";
import { group } from "./people/group.ts";
import { hierarchyLevel } from "./columns/hierarchyLevel.ts";
import { integration } from "./sharing/integration.ts";
import { schedule } from "./automation/schedule.ts";
import { securableVersion } from "./securables/securableVersion.ts";
import { savedQuestion } from "./sharing/savedQuestion.ts";
import { savedView } from "./sharing/savedView.ts";
import { share } from "./sharing/share.ts";
import { shareStatistic } from "./sharing/shareStatistic.ts";
import { ssoConfig } from "./people/ssoConfig.ts";
import { tag } from "./securables/tag.ts";
import { customChart } from "./appearance/customChart.ts";
import { customChartVersion } from "./appearance/customChartVersion.ts";
import { theme } from "./appearance/theme.ts";
import { thumbnail } from "./appearance/thumbnail.ts";
import { country, currency, locale, timezone } from "./reference/reference.ts";

/** The resources by name, in the order in which the catalog creates them. */
const all = {
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
  hierarchylevel: hierarchyLevel,
  theme,
  customchart: customChart,
  customchartversion: customChartVersion,
  share,
  savedview: savedView,
  savedquestion: savedQuestion,
  sharestatistic: shareStatistic,
  securableversion: securableVersion,
  schedule,
  acceleration,
  channel,
  alert,
  alertevent: alertEvent,
  exportevent: exportEvent,
  datasetcopy: datasetCopy,
  delivery,
  thumbnail,
  ssoconfig: ssoConfig,
  aiconversation: aiConversation,
  aimessage: aiMessage,
  aimessageasset: aiMessageAsset,
  country,
  locale,
  currency,
  timezone,
  embedfiltergroup: embedFilterGroup,
  auditevent: auditEvent,
};

type RowsOfAll = { readonly [Resource in keyof typeof all]: RowOf<(typeof all)[Resource]> };

declare module "../base/contracts/records.ts" {
  interface ResourceRows extends RowsOfAll {}
}

/** Every resource of the catalog, by name. */
export const declarations: ReadonlyMap<string, Declaration> = new Map(
  bounded(Object.values(all)).map((declaration) => [declaration.name, declaration]),
);
