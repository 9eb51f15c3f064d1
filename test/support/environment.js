/** What functions log is not what a test prints. */
process.env.POWERTOOLS_LOG_LEVEL = 'SILENT'
