import * as assert from "uvu/assert";
import {
  type Restriction,
  authorizationTypes,
  actions,
} from "../../../../core/base/contracts/index.ts";
import { permits, restrictedActions } from "../../../../core/identity/access/index.ts";
import { declarations } from "../../../../core/resources/index.ts";
import { suite } from "../../../support/suite.ts";

const services = [
  "data",
  "dataprovider",
  "hierarchy",
  "generate_descriptions",
  "export",
  "dataexport",
  "aichart",
  "aimessage",
  "aiprompt",
  "aisummary",
  "iqformula",
  "iqmessage",
];
const resources = [...declarations.keys(), ...services];

/**
 * The actions that embed tokens may call. The list is repeated here, so that a new resource stays closed until it is
 * added in both places.
 */
const open = [
  "authorization get",
  "user get",
  "securable get",
  "column get",
  "formula get",
  "hierarchylevel get",
  "collection get",
  "integration get",
  "tag get",
  "savedview get",
  "theme get",
  "customchart get",
  "country get",
  "locale get",
  "currency get",
  "timezone get",
  "data get",
  "data explain",
  "export create",
  "export get",
  "export delete",
  "dataexport create",
  "aichart create",
  "aimessage create",
  "aiprompt create",
  "aisummary create",
  "iqmessage create",
];

const designing = [
  "securable create",
  "securable update",
  "securable validate",
  "alert get",
  "alert create",
  "alert update",
  "alert delete",
  "alert validate",
  "alert test",
  "alert backtest",
  "alert preview",
];

suite("core/identity/access/permits", (test) => {
  for (const authorizationType of authorizationTypes)
    test(`${authorizationType} tokens may call exactly the actions that their type permits`, () => {
      const isBounded = !["api", "login"].includes(authorizationType);
      for (const resource of resources)
        for (const action of actions)
          assert.is(
            permits({ authorizationType }, resource, action),
            !isBounded || open.includes(`${resource} ${action}`),
            `${resource} ${action}`,
          );
    });

  test("a token's role permits the additional actions of designers or owners, except for private links", () => {
    const roles = { viewer: [], designer: designing, owner: [...designing, "securable delete"] };
    for (const authorizationType of ["embed", "sso", "temporary"] as const)
      for (const [role, more] of Object.entries(roles)) {
        const restriction = { role } as Restriction;
        for (const resource of resources)
          for (const action of actions) {
            const named = `${resource} ${action}`;
            assert.is(
              permits({ authorizationType, restriction }, resource, action),
              [...open, ...more].includes(named),
              `${role}: ${named}`,
            );
          }
      }
    const restriction = { role: "owner" } as Restriction;
    assert.not(permits({ authorizationType: "share", restriction }, "securable", "update"));
  });

  test("embed tokens may not call a resource that is not in the table of permitted actions", () => {
    for (const resource of ["", "constructor", "__proto__", "toString", "Securable", "securable "])
      for (const action of actions)
        assert.not(permits({ authorizationType: "embed" }, resource, action), resource);
  });

  test("every resource in the table of permitted actions exists", () => {
    for (const resource of Object.keys(restrictedActions))
      assert.ok(resources.includes(resource), resource);
  });
});
