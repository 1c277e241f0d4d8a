import { localized } from "../../language/index.ts";
import { html } from "lit";
import type { Api } from "../../api/index.ts";
import { choicesOf, openForm, selectField, showOnce, textField } from "../../parts/index.ts";
import type { ChannelRecord } from "./alertRecord.ts";
import { words } from "./words.ts";

type ChannelType = keyof typeof words.channelTypes;
const isChannelType = (value: string): value is ChannelType =>
  Object.hasOwn(words.channelTypes, value);

/** Returns the config of a channel of the given type from its address. Mail may have several addresses. */
function configOf(type: ChannelType, address: string): object {
  if (type !== "email") return type === "sms" ? { to: address } : { url: address };
  const emails = address.split(/[\s,;]+/).filter((each) => each !== "");
  return { recipients: emails.map((email) => ({ email })) };
}

/**
 * Opens the form for a new channel, and shows the secret of a webhook once. Returns the channel; undefined if the
 * reader closes the form.
 */
export async function openNewChannel(api: Api): Promise<ChannelRecord | undefined> {
  const given = { name: "", address: "" };
  let type: ChannelType = "webhook";
  const made = await openForm<ChannelRecord & { readonly secret?: string }>({
    title: words.newChannel,
    action: words.createChannel,
    isComplete: () => given.address.trim() !== "",
    body: ({ wrong, redraw }) =>
      html`${selectField({
        id: "channel-type",
        label: words.channelType,
        value: type,
        choices: choicesOf(words.channelTypes),
        onSelect: (value) => {
          if (isChannelType(value)) type = value;
          redraw();
        },
      })}
      ${textField({
        id: "channel-name",
        label: words.name,
        value: given.name,
        onInput: (value) => (given.name = value),
      })}
      ${textField({
        id: "channel-address",
        label: words.addressLabels[type],
        value: given.address,
        hint: words.addressHints[type],
        wrong,
        onInput: (value) => (given.address = value),
      })}`,
    save: () =>
      api.create("channel", {
        type,
        name: localized(given.name.trim() || words.channelTypes[type]),
        config: configOf(type, given.address.trim()),
      }),
  });
  if (!made) return undefined;
  const { secret, ...channel } = made;
  if (secret !== undefined)
    await showOnce({ title: words.secretTitle, text: words.secretOnce, secret });
  return channel;
}
