-- An action on a person, a message or a setting has no delivery day, and one on what all markets share has no hub.
alter table staff_action alter column hub_id drop not null, alter column delivery_id drop not null;

-- The kinds are the domain's (`StaffActionKind`).
alter table staff_action drop constraint staff_action_known;
alter table staff_action add constraint staff_action_known check (
  state in ('held', 'running', 'done', 'undone', 'refused')
  and (state in ('held', 'running')) = (ended_at is null) and (state <> 'held' or due_at is not null)) not valid;
