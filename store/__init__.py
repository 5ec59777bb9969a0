"""What is kept: jobs and results, batches, webhooks, keys, blobs. The only folder with SQL."""
