-- A metastore creates its tables itself, except those in which it looks for transactions of a dropped database.
CREATE TABLE metastore.TXN_COMPONENTS (tc_database VARCHAR(128));
CREATE TABLE metastore.COMPLETED_TXN_COMPONENTS (ctc_database VARCHAR(128));
CREATE TABLE metastore.COMPACTION_QUEUE (cq_database VARCHAR(128));
CREATE TABLE metastore.COMPLETED_COMPACTIONS (cc_database VARCHAR(128));
CREATE TABLE metastore.TXN_TO_WRITE_ID (t2w_database VARCHAR(128));
CREATE TABLE metastore.NEXT_WRITE_ID (nwi_database VARCHAR(128));
