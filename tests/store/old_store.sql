-- A store made by release 0.1.0, times moved to December 2024; see test_old_store.py.
BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0002');
CREATE TABLE api_keys (
	id VARCHAR(36) NOT NULL, 
	owner VARCHAR(36) NOT NULL, 
	name VARCHAR(120) NOT NULL, 
	prefix VARCHAR(24) NOT NULL, 
	hash VARCHAR(64) NOT NULL, 
	scopes JSON NOT NULL, 
	rate_per_minute INTEGER, 
	max_queued INTEGER, 
	created_at DOUBLE NOT NULL, 
	expires_at DOUBLE, 
	revoked_at DOUBLE, 
	last_used_at DOUBLE, 
	PRIMARY KEY (id), 
	UNIQUE (prefix)
);
INSERT INTO "api_keys" VALUES('1cff5f79-b963-4d29-8156-8e2848c05479','1cff5f79-b963-4d29-8156-8e2848c05479','erp','c8fde17b81','de6d3b5f8fb89310cbb3cae3e602284ae3c4a3073538045ba1eb02696318b0bc','["extract", "read"]',60,NULL,1735453595.075414,NULL,NULL,NULL);
CREATE TABLE batch_items (
	batch_id VARCHAR(36) NOT NULL, 
	number INTEGER NOT NULL, 
	filename VARCHAR(255) NOT NULL, 
	sha256 VARCHAR(64), 
	job_id VARCHAR(36), 
	error_code VARCHAR(64), 
	error_detail TEXT, 
	error_advice TEXT, 
	PRIMARY KEY (batch_id, number), 
	FOREIGN KEY(batch_id) REFERENCES batches (id) ON DELETE CASCADE, 
	FOREIGN KEY(job_id) REFERENCES jobs (id) ON DELETE SET NULL
);
INSERT INTO "batch_items" VALUES('df644319-3fe6-4952-a4a3-ba5d1d41f8f6',1,'a.pdf','55f0df473ba20aaf016d3f7521b3a76119b959528ec1f3a1ca363e764866de55','5c58567f-2373-43b4-80d3-dcce29e7e8ef',NULL,NULL,NULL);
INSERT INTO "batch_items" VALUES('df644319-3fe6-4952-a4a3-ba5d1d41f8f6',2,'b.pdf','e3ccfb48ee19d27c5fff5f9c74640981c424f05ce85981b83ea1a48e69f33011','5201bd25-5d93-47db-a496-68cb231fc864',NULL,NULL,NULL);
INSERT INTO "batch_items" VALUES('df644319-3fe6-4952-a4a3-ba5d1d41f8f6',3,'c.txt','dba36bffa5cab0f922d087a3aeb179f9d4e745df40b323e1b1471402848c8a3e',NULL,'unsupported_media_type','The content is not a PDF, PNG, JPEG or TIFF.','Send a PDF, PNG, JPEG or TIFF file; the content decides, not the name.');
CREATE TABLE batches (
	id VARCHAR(36) NOT NULL, 
	owner VARCHAR(64), 
	name VARCHAR(255) NOT NULL, 
	model VARCHAR(160) NOT NULL, 
	options JSON NOT NULL, 
	skipped JSON NOT NULL, 
	created_at DOUBLE NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "batches" VALUES('df644319-3fe6-4952-a4a3-ba5d1d41f8f6','1cff5f79-b963-4d29-8156-8e2848c05479','May','tiny','{}','[]',1735453599.142244);
CREATE TABLE counters (
	name VARCHAR(64) NOT NULL, 
	label VARCHAR(120) NOT NULL, 
	value DOUBLE NOT NULL, 
	PRIMARY KEY (name, label)
);
INSERT INTO "counters" VALUES('jobs_ended','succeeded|',1.0);
INSERT INTO "counters" VALUES('pages_read','',1.0);
INSERT INTO "counters" VALUES('seconds','read|0.1',1.0);
INSERT INTO "counters" VALUES('seconds','read|sum',0.1);
INSERT INTO "counters" VALUES('seconds','resolve|0.1',1.0);
INSERT INTO "counters" VALUES('seconds','resolve|sum',0.1);
INSERT INTO "counters" VALUES('seconds','tag|0.1',1.0);
INSERT INTO "counters" VALUES('seconds','tag|sum',0.1);
INSERT INTO "counters" VALUES('seconds','wait|1',1.0);
INSERT INTO "counters" VALUES('seconds','wait|sum',5.3077411651611328125e-01);
INSERT INTO "counters" VALUES('words_read','',3.0);
INSERT INTO "counters" VALUES('jobs_ended','failed|pdf_encrypted',1.0);
INSERT INTO "counters" VALUES('jobs_ended','cancelled|job_cancelled',1.0);
CREATE TABLE deliveries (
	id VARCHAR(36) NOT NULL, 
	webhook_id VARCHAR(36) NOT NULL, 
	subject VARCHAR(36) NOT NULL, 
	event VARCHAR(32) NOT NULL, 
	payload TEXT NOT NULL, 
	state VARCHAR(16) NOT NULL, 
	attempts INTEGER NOT NULL, 
	next_at DOUBLE, 
	token VARCHAR(36), 
	created_at DOUBLE NOT NULL, 
	ended_at DOUBLE, 
	PRIMARY KEY (id), 
	CONSTRAINT uq_deliveries_once UNIQUE (webhook_id, subject, event), 
	FOREIGN KEY(webhook_id) REFERENCES webhooks (id) ON DELETE CASCADE
);
INSERT INTO "deliveries" VALUES('21b31ea3-1ba1-49f9-824a-735034b98d7a','52d9f5bb-b7df-4aaf-88fd-ce1755ac4541','48b86ce0-d793-4ade-bcbe-a600cb5e42b9','job.succeeded','{"type":"job.succeeded","timestamp":"2024-12-29T17:06:37.140Z","data":{"id":"48b86ce0-d793-4ade-bcbe-a600cb5e42b9","state":"succeeded","model":"tiny@0.0.1","error_code":null,"batch":null,"url":"/v1/jobs/48b86ce0-d793-4ade-bcbe-a600cb5e42b9","result_url":"/v1/jobs/48b86ce0-d793-4ade-bcbe-a600cb5e42b9/result"}}','pending',0,1735453597.140488,NULL,1735453597.140488,NULL);
INSERT INTO "deliveries" VALUES('cf5c829a-365b-4074-9ccd-1dd089f38f4f','52d9f5bb-b7df-4aaf-88fd-ce1755ac4541','d1bbca71-07ef-476f-9a3a-5797031098a3','job.failed','{"type":"job.failed","timestamp":"2024-12-29T17:06:37.637Z","data":{"id":"d1bbca71-07ef-476f-9a3a-5797031098a3","state":"failed","model":"tiny@0.0.1","error_code":"pdf_encrypted","batch":null,"url":"/v1/jobs/d1bbca71-07ef-476f-9a3a-5797031098a3","result_url":"/v1/jobs/d1bbca71-07ef-476f-9a3a-5797031098a3/result"}}','pending',0,1735453597.637762,NULL,1735453597.637762,NULL);
CREATE TABLE delivery_attempts (
	delivery_id VARCHAR(36) NOT NULL, 
	number INTEGER NOT NULL, 
	at DOUBLE NOT NULL, 
	seconds DOUBLE NOT NULL, 
	status INTEGER, 
	error VARCHAR(64), 
	PRIMARY KEY (delivery_id, number), 
	FOREIGN KEY(delivery_id) REFERENCES deliveries (id) ON DELETE CASCADE
);
CREATE TABLE idempotency_keys (
	owner VARCHAR(64) NOT NULL, 
	route VARCHAR(32) NOT NULL, 
	"key" VARCHAR(255) NOT NULL, 
	fingerprint VARCHAR(64) NOT NULL, 
	job_id VARCHAR(36), 
	batch_id VARCHAR(36), 
	created_at DOUBLE NOT NULL, 
	PRIMARY KEY (owner, route, "key")
);
INSERT INTO "idempotency_keys" VALUES('1cff5f79-b963-4d29-8156-8e2848c05479','extract','order-17','971bc545c696a75fae958a8cf7ceca956f87ff44decf4d5b8a9d70576a15fcb0','48b86ce0-d793-4ade-bcbe-a600cb5e42b9',NULL,1735453596.401793);
CREATE TABLE jobs (
	id VARCHAR(36) NOT NULL, 
	state VARCHAR(16) NOT NULL, 
	stage VARCHAR(16) NOT NULL, 
	attempts INTEGER NOT NULL, 
	token VARCHAR(36), 
	worker VARCHAR(64), 
	lease_until DOUBLE, 
	not_before DOUBLE, 
	claimed_at DOUBLE, 
	cancel_requested BOOLEAN NOT NULL, 
	owner VARCHAR(64), 
	model VARCHAR(160) NOT NULL, 
	model_version VARCHAR(64), 
	options JSON NOT NULL, 
	sha256 VARCHAR(64) NOT NULL, 
	filename VARCHAR(255) NOT NULL, 
	media_type VARCHAR(64) NOT NULL, 
	size INTEGER NOT NULL, 
	pages_done INTEGER NOT NULL, 
	pages_total INTEGER, 
	error_code VARCHAR(64), 
	error_detail TEXT, 
	error_advice TEXT, 
	created_at DOUBLE NOT NULL, 
	started_at DOUBLE, 
	finished_at DOUBLE, priority INTEGER DEFAULT '0' NOT NULL, fingerprint VARCHAR(64), words INTEGER, announced_at DOUBLE, expired_at DOUBLE, 
	PRIMARY KEY (id)
);
INSERT INTO "jobs" VALUES('48b86ce0-d793-4ade-bcbe-a600cb5e42b9','succeeded','done',1,'d4b34907-59a6-4ed0-878d-706e9249cb56',NULL,NULL,NULL,1735453596.945330,0,'1cff5f79-b963-4d29-8156-8e2848c05479','tiny','0.0.1','{}','978dc9992e7df81e49257e72756872de0e29474a3eef29d3f097f40f7784a085','succeeded.pdf','application/pdf',1645,1,1,NULL,NULL,NULL,1735453596.414556,1735453596.945330,1735453597.106613,0,'1a75983a34cdbcd748e9334bd5c72d69bd8374d2f2263cbd79760df48367fa6a',3,1735453596.414556,NULL);
INSERT INTO "jobs" VALUES('d1bbca71-07ef-476f-9a3a-5797031098a3','failed','read',1,'5e9b41a8-8748-4837-941d-b8af2b08776e',NULL,NULL,NULL,1735453597.489675,0,'1cff5f79-b963-4d29-8156-8e2848c05479','tiny','0.0.1','{}','c329e20cb16d920a8484c29b33278e55a20d1d746ca6a2a293c02411efede380','failed.pdf','application/pdf',1662,0,NULL,'pdf_encrypted','The PDF opens only with a password.','Send the password in the form field `password`, or remove the protection.',1735453597.356370,1735453597.489675,1735453597.490781,0,'caec94b7e90330ee1e5d6e60ccd2ba68df6c01ccaa5e2d62fff418f53bfddb81',NULL,1735453597.356373,NULL);
INSERT INTO "jobs" VALUES('66ab1d89-d1c0-4b48-97ea-b8f1845dac81','cancelled','read',1,'cc9a2c44-7b21-4cfa-86dd-d32fd0262477',NULL,NULL,NULL,1735453597.964898,1,'1cff5f79-b963-4d29-8156-8e2848c05479','tiny','0.0.1','{}','cc5128628715522544f75b71ef37023d373b1e4e45d936b0e21e65346b36b1c5','','application/pdf',1661,0,NULL,'job_cancelled','It was cancelled.','Send the document again if the answer is still wanted.',1735453597.922964,1735453597.964898,1735453598.381278,0,'eff5bf23f272265f0ad2394390701cf75352e16374b34f4a83bb6d4b81b95a27',NULL,1735453597.922966,NULL);
INSERT INTO "jobs" VALUES('0d49580e-b545-47fd-b353-0f973a15b685','running','tag',1,'4e76f923-c5a9-4d43-820d-94fba2b69933','worker-dead2',1735453598.607988,NULL,1735453598.607988,0,'1cff5f79-b963-4d29-8156-8e2848c05479','tiny','0.0.1','{}','fbdfeb692956fdbc9fe2ed1b039c41ca46ab41f87f1e31532f94370bed148e4d','lost.pdf','application/pdf',1626,1,1,NULL,NULL,NULL,1735453598.181996,1735453598.415231,NULL,0,'da5224fe51f2c2279ccf552d43801d38a89d8425d314ffb52a8959203028bcf7',12,1735453598.480084,NULL);
INSERT INTO "jobs" VALUES('861411e3-b215-4430-b12b-f1016122fae7','queued','read',0,NULL,NULL,NULL,NULL,NULL,0,'1cff5f79-b963-4d29-8156-8e2848c05479','tiny',NULL,'{"pages": "1", "ocr": "never"}','6f21591e9dee8beb2053fb8eba605138a40ab1686491bcf23633a96e5e9f960f','queued.pdf','application/pdf',1665,0,NULL,NULL,NULL,NULL,1735453598.751857,NULL,NULL,0,'0be1dedbafcbcd982dffd1ba7b156e6058ae004d56f61da40b30c82fd5fabbe8',NULL,1735453598.751859,NULL);
INSERT INTO "jobs" VALUES('5c58567f-2373-43b4-80d3-dcce29e7e8ef','queued','read',0,NULL,NULL,NULL,NULL,NULL,0,'1cff5f79-b963-4d29-8156-8e2848c05479','tiny',NULL,'{}','55f0df473ba20aaf016d3f7521b3a76119b959528ec1f3a1ca363e764866de55','a.pdf','application/pdf',1663,0,NULL,NULL,NULL,NULL,1735453599.144018,NULL,NULL,1,'be9afe36bd80e6a3e8960eecf3ff2b89c18de483b3b9dd4070389224b75b3662',NULL,1735453599.144018,NULL);
INSERT INTO "jobs" VALUES('5201bd25-5d93-47db-a496-68cb231fc864','queued','read',0,NULL,NULL,NULL,NULL,NULL,0,'1cff5f79-b963-4d29-8156-8e2848c05479','tiny',NULL,'{}','e3ccfb48ee19d27c5fff5f9c74640981c424f05ce85981b83ea1a48e69f33011','b.pdf','application/pdf',1668,0,NULL,NULL,NULL,NULL,1735453599.144019,NULL,NULL,1,'ba1821f80f040d2f124698bf1bbea42b51c3703c091bb3b2d621e738d2e44220',NULL,1735453599.144018,NULL);
CREATE TABLE locks (
	name VARCHAR(32) NOT NULL, 
	holder VARCHAR(64) NOT NULL, 
	lease_until DOUBLE NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "locks" VALUES('sweep-lost','worker-old',1735453609.735604);
CREATE TABLE results (
	job_id VARCHAR(36) NOT NULL, 
	body TEXT NOT NULL, 
	created_at DOUBLE NOT NULL, 
	PRIMARY KEY (job_id), 
	FOREIGN KEY(job_id) REFERENCES jobs (id) ON DELETE CASCADE
);
INSERT INTO "results" VALUES('48b86ce0-d793-4ade-bcbe-a600cb5e42b9','{"id": "48b86ce0-d793-4ade-bcbe-a600cb5e42b9", "document": {"sha256": "978dc9992e7df81e49257e72756872de0e29474a3eef29d3f097f40f7784a085", "media_type": "application/pdf", "page_count": 1, "word_count": 3, "pages": [{"number": 1, "width": 100.0, "height": 200.0, "rotation": 0, "text_source": "text_layer", "reason": ""}]}, "model": {"name": "tiny", "version": "0.0.1", "sha256": ""}, "fields": {"company": null, "date": null, "address": null, "total": null}, "warnings": [], "timings": {"read": 0.1, "tag": 0.1, "resolve": 0.1}}',1735453597.107438);
CREATE TABLE webhooks (
	id VARCHAR(36) NOT NULL, 
	owner VARCHAR(64), 
	url TEXT NOT NULL, 
	secret VARCHAR(128) NOT NULL, 
	old_secret VARCHAR(128), 
	old_secret_until DOUBLE, 
	events JSON NOT NULL, 
	active BOOLEAN NOT NULL, 
	active_since DOUBLE NOT NULL, 
	disabled_reason TEXT, 
	created_at DOUBLE NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "webhooks" VALUES('52d9f5bb-b7df-4aaf-88fd-ce1755ac4541','1cff5f79-b963-4d29-8156-8e2848c05479','https://receiver.example/hook','whsec_vxXrUR4FibPu+eInBu/GPyN3ECltgb16XUfIj/6liyI=',NULL,NULL,'["job.succeeded", "job.failed", "batch.finished"]',1,1735453595.660456,NULL,1735453595.660456);
CREATE TABLE workers (
	name VARCHAR(64) NOT NULL, 
	pid INTEGER NOT NULL, 
	ready BOOLEAN NOT NULL, 
	detail TEXT NOT NULL, 
	models JSON NOT NULL, 
	seen_at DOUBLE NOT NULL, stages JSON DEFAULT '["read", "tag", "resolve"]' NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "workers" VALUES('worker-old',1,1,'','["tiny@0.0.1"]',1735453599.505385,'["read", "tag", "resolve"]');
CREATE INDEX ix_jobs_created ON jobs (created_at, id);
CREATE INDEX ix_batches_created ON batches (created_at, id);
CREATE INDEX ix_batch_items_job ON batch_items (job_id);
CREATE INDEX ix_jobs_queue ON jobs (state, stage, priority, created_at);
CREATE INDEX ix_jobs_fingerprint ON jobs (fingerprint);
CREATE INDEX ix_jobs_finished ON jobs (expired_at, finished_at);
CREATE INDEX ix_jobs_owner ON jobs (owner, created_at, id);
CREATE INDEX ix_idempotency_job ON idempotency_keys (job_id);
CREATE INDEX ix_idempotency_batch ON idempotency_keys (batch_id);
CREATE INDEX ix_deliveries_due ON deliveries (state, next_at);
CREATE INDEX ix_deliveries_subject ON deliveries (subject);
CREATE INDEX ix_deliveries_webhook ON deliveries (webhook_id, state, next_at);
CREATE INDEX ix_deliveries_log ON deliveries (webhook_id, created_at, id);
COMMIT;
