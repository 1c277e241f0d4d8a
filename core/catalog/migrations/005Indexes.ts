import type { Knex } from "knex";

export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    -- From a user, group or integration to the records, with the rights: what a caller was given is read from the index alone.
    drop index securable_user_by_user_id;
    create index securable_user_by_user_id on securable_user (user_id, securable_id)
      include ("flagRead", "flagUse", "flagModify", "flagOwn");
    drop index securable_group_by_group_id;
    create index securable_group_by_group_id on securable_group (group_id, securable_id)
      include ("flagRead", "flagUse", "flagModify", "flagOwn");
    create index securable_integration_by_integration_id on securable_integration (integration_id, securable_id)
      include ("flagRead", "flagUse", "flagModify");
    drop index account_user_by_user_id;
    create index account_user_by_user_id on account_user (user_id, account_id)
      include ("flagRead", "flagUse", "flagModify", "flagOwn");
    drop index account_group_by_group_id;
    create index account_group_by_group_id on account_group (group_id, account_id)
      include ("flagRead", "flagUse", "flagModify", "flagOwn");
    drop index collection_user_by_user_id;
    create index collection_user_by_user_id on collection_user (user_id, collection_id)
      include ("flagRead", "flagUse", "flagModify", "flagOwn");
    drop index collection_group_by_group_id;
    create index collection_group_by_group_id on collection_group (group_id, collection_id)
      include ("flagRead", "flagUse", "flagModify", "flagOwn");
    drop index formula_user_by_user_id;
    create index formula_user_by_user_id on formula_user (user_id, formula_id)
      include ("flagRead", "flagUse", "flagModify", "flagOwn");
    drop index formula_group_by_group_id;
    create index formula_group_by_group_id on formula_group (group_id, formula_id)
      include ("flagRead", "flagUse", "flagModify", "flagOwn");
    drop index integration_user_by_user_id;
    create index integration_user_by_user_id on integration_user (user_id, integration_id)
      include ("flagRead", "flagUse", "flagModify", "flagOwn");
    drop index integration_group_by_group_id;
    create index integration_group_by_group_id on integration_group (group_id, integration_id)
      include ("flagRead", "flagUse", "flagModify");
    drop index group_user_by_user_id;
    create index group_user_by_user_id on group_user (user_id, group_id);

    -- Plain links the other way round.
    drop index collection_securable_by_securable_id;
    create index collection_securable_by_securable_id on collection_securable (securable_id, collection_id);
    drop index securable_formula_by_formula_id;
    create index securable_formula_by_formula_id on securable_formula (formula_id, securable_id);
    drop index securable_tag_by_tag_id;
    create index securable_tag_by_tag_id on securable_tag (tag_id, securable_id);
    drop index securable_dataset_by_dataset_id;
    create index securable_dataset_by_dataset_id on securable_dataset (dataset_id, dashboard_id);

    -- The records of an owner.
    drop index securable_by_owner_id;
    create index securable_by_owner_id on securable (owner_id) include (id);

    -- What a page tests and orders by, of thousands that the caller was given, without a look at the records.
    create index securable_by_id on securable (id) include (type, is_variant, modified_at, owner_id);

    drop index collection_by_user_id;
    create index collection_by_user_id on collection (user_id) include (id);
    drop index formula_by_user_id;
    create index formula_by_user_id on formula (user_id) include (id);

    -- Users of an organization, and of a suborganization, whose name may be longer than other kinds of index take.
    drop index organization_user_by_organization_id;
    create index organization_user_by_organization_id on organization_user (organization_id, user_id);
    create index user_by_suborganization on "user" using hash (suborganization);

    -- The few api tokens of a user among masses of others.
    drop index authorization_by_user_id;
    create index authorization_by_user_id on "authorization" (user_id, type);
  `);
}
