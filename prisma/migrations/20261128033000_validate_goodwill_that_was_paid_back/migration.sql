-- Without the lock of the migration that added it.
alter table refund validate constraint refund_released;
