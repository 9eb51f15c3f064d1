/** The remedy of each kind of alarm, by the end of its name: for CloudWatch, the reference of alarms and the console. */
export const REMEDIES = {
  'DeadLetters/NotEmpty':
    "What to do: run npm run ops -- queues to see which queue has dead letters, and how many. Read in the log of the queue's function why these messages failed. Fix the cause. Then send the dead letters back: npm run ops -- redrive, followed by the name of the queue.",
  Late: 'What to do: if the function of the queue has an alarm too, handle that alarm first. Otherwise, there is more work than the concurrency of the function allows. Check on the dashboard whether the function is throttled. Raise the limit of the account, or the concurrency in the settings of the deployment: callConcurrency, deliveryConcurrency, slowDeliveryConcurrency or fileConcurrency. The other queues have a fixed concurrency: reduce the load.',
  Errors:
    'What to do: search the log of the function for lines with the level ERROR; each names the error and the run. If the errors began with a deployment, deploy the previous version again.',
  'GivenUp/NotEmpty':
    'What to do: read in the log of the function why it could not handle these changes. These changes cannot be redriven. The changed leads and calls are in the table, and customers can get them from the API. Run npm run ops -- check to see what cannot be read.',
  Lag: 'What to do: if the function has an alarm too, handle that alarm first: the function retries the same changes until it succeeds. Otherwise, more changes are written than the function can read. The lag shrinks when fewer changes are written.',
  Failing:
    'What to do: for 15 minutes, one or more messages have failed and were retried. Search the log of the function for "A message failed and will return."; each line names the error. If all messages fail for the same reason, fix the cause: the messages are retried automatically. If the failures began with a deployment, deploy the previous version again.',
  ServerErrors:
    'What to do: find the function in "Functions that fail" on the dashboard. Search its log for lines with the level ERROR; each names the error and the request. If the errors began with a deployment, deploy the previous version again. If no function fails, look at "Throttled functions" beside it. If no function is throttled either, the gateway itself fails: read its access log.',
  Overdue:
    'What to do: first handle the alarms on the queue of calls, on its function and on the sweep. If none of these is active, more calls are due than can be placed concurrently. Compare "Calls started" with "Leads overdue" on the dashboard, and raise callConcurrency in the settings of the deployment.',
  IdsHalfUsed:
    'What to do: find the user who creates so much: in the logs of the API, sum write_units of leads/create and leads/bulk-create by user. If this load is not wanted, lower users[].throttle of this user, or revoke its keys. If this load is wanted, plan a new stage with its own table: ids stay below 2,147,483,648 and are never reused.',
  SweepStopped:
    'What to do: check in EventBridge that the rule of the sweep is enabled. Check that the function is not throttled. The next sweep does all the work that was missed.',
} as const
