-- Without the lock of the migration that added it.
alter table staff_action validate constraint staff_action_known;
