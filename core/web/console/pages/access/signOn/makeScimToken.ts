import type { Api } from "../../../api/index.ts";
import { confirm, createSecret, showOnce } from "../../../parts/index.ts";
import { configOf, draftOf, readConfigs } from "./signOnConfig.ts";
import { words } from "./words.ts";

/**
 * Makes the token by which a provider keeps users and groups, stores it, and shows it once. A present token is replaced
 * only when the reader agrees. Returns whether one was made.
 */
export async function makeScimToken(
  api: Api,
  configId: string,
  hasToken: boolean,
): Promise<boolean> {
  const [title, text] = [words.renewToken, words.renewText];
  if (hasToken && !(await confirm({ title, text, action: words.renewToken, isDangerous: true })))
    return false;
  const [stored] = (await readConfigs(api, { where: { id: configId } })).rows;
  if (!stored) return false;
  const secret = createSecret();
  const config = { ...configOf(draftOf(stored)), scim_token: secret };
  await api.update("ssoconfig", configId, { config });
  await showOnce({ title: words.provisioning, text: words.tokenText, secret });
  return true;
}
