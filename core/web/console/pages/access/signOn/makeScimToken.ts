import type { Api } from "../../../api/index.ts";
import { confirm, createSecret, showOnce } from "../../../parts/index.ts";
import { configOf, draftOf, readConfigs } from "./signOnConfig.ts";
import { words } from "./words.ts";

/**
 * Creates the token with which a provider manages users and groups, stores it, and shows it once. An existing token is
 * replaced only if the reader confirms. Returns whether a token was created.
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
