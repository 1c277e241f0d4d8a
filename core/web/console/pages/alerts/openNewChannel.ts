import { localized } from "../../language/index.ts";
import { html } from "lit";
import { ApiFailure, messageOf, mistakesIn, type Api } from "../../api/index.ts";
import {
  choicesOf,
  entriesOf,
  listField,
  openForm,
  selectField,
  showOnce,
  textField,
} from "../../parts/index.ts";
import type { ChannelRecord } from "./alertRecord.ts";
import { words } from "./words.ts";

type ChannelType = keyof typeof words.channelTypes;
const isChannelType = (value: string): value is ChannelType =>
  Object.hasOwn(words.channelTypes, value);

/** Types of channels that send to several addresses. */
const isOfList = (type: ChannelType): type is "email" | "sms" => type === "email" || type === "sms";

/** Returns the config of a channel of the given type from what the reader typed. */
function configOf(type: ChannelType, address: string): object {
  if (!isOfList(type)) return { url: address.trim() };
  const addresses = entriesOf(address);
  if (type === "sms") return { to: addresses };
  return { recipients: addresses.map((email) => ({ email })) };
}

/** Returns why the host refuses the addresses, with the addresses that are wrong; "" if it is about something else. */
function mistakeIn(failure: unknown, type: ChannelType, address: string): string {
  if (mistakesIn(failure)["config"] === undefined) return "";
  const addresses = entriesOf(address);
  const listed = failure instanceof ApiFailure ? failure.validation["config"] : undefined;
  const wrong = (listed ?? []).flatMap((mistake) => {
    const [, at] = /^\w+\[(\d+)\]/.exec(mistake) ?? [];
    const found = addresses[Number(at)];
    return found === undefined ? [] : [found];
  });
  if (isOfList(type) && wrong.length > 0) return words.wrongAddresses[type](wrong);
  return mistakesIn(failure)["config"]?.replace(/^\w+: /, "") ?? messageOf(failure);
}

/**
 * Opens the form for a new channel, and shows the secret of a webhook once. Returns the channel; undefined if the
 * reader closes the form.
 */
export async function openNewChannel(api: Api): Promise<ChannelRecord | undefined> {
  const given = { name: "", address: "", wrong: "" };
  let type: ChannelType = "webhook";
  const made = await openForm<ChannelRecord & { readonly secret?: string }>({
    title: words.newChannel,
    action: words.createChannel,
    isComplete: () => given.address.trim() !== "",
    members: ["name", "config"],
    body: ({ mistakeOf, redraw }) =>
      html`${selectField({
        id: "channel-type",
        label: words.channelType,
        value: type,
        choices: choicesOf(words.channelTypes),
        onSelect: (value) => {
          if (isChannelType(value)) type = value;
          given.wrong = "";
          redraw();
        },
      })}
      ${textField({
        id: "channel-name",
        label: words.name,
        value: given.name,
        wrong: mistakeOf("name"),
        onInput: (value) => (given.name = value),
      })}
      ${(isOfList(type) ? listField : textField)({
        id: "channel-address",
        label: words.addressLabels[type],
        value: given.address,
        hint: words.addressHints[type],
        wrong: given.wrong,
        onInput: (value) => (given.address = value),
      })}`,
    async save() {
      given.wrong = "";
      try {
        return await api.create("channel", {
          type,
          name: localized(given.name.trim() || words.channelTypes[type]),
          config: configOf(type, given.address),
        });
      } catch (failure) {
        given.wrong = mistakeIn(failure, type, given.address);
        throw failure;
      }
    },
  });
  if (!made) return undefined;
  const { secret, ...channel } = made;
  if (secret !== undefined)
    await showOnce({ title: words.secretTitle, text: words.secretOnce, secret });
  return channel;
}
