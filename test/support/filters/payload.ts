/** The payload for the tests' conditions: JSON as in a webhook, with names that can trap a careless evaluator. */
export const PAYLOAD: unknown = JSON.parse(`{
  "id": 51, "email": null, "phone_number": "+12125550123", "status": "LOST", "lead_source": "", "external_id": "A-17",
  "call_dnc": true, "sms_dnc": false, "reengagements_count": 0, "call_count": 1, "trigger": "CALL_COMPLETE", "representative": 12,
  "metadata": {
    "us_state": "NY", "first_name": "Ann", "loan": 250000, "rate": 6.5, "zip": "07030", "age": "42", "nothing": null, "none": [], "empty": {},
    "tags": ["hot", "web", ["deep", {"a": 1}]], "others": ["hot", "web", ["deep", {"a": 1}]], "flags": [true, 0], "fewer": ["hot", "web"], "numbers": [1, false],
    "one": {"a": 1, "b": [2]}, "same": {"b": [2.0], "a": true}, "more": {"a": 1, "b": [2], "c": 3},
    "a.b": "dotted", "utm-source": "ad", "with space": "s", "it's": "quoted", "ключ": "значение", "😀": "smile", "and": "joined", "0": "nought",
    "big": "12345678901234567890", "__proto__": {"x": 1}, "constructor": "data", "line": "a\\nb", "back\\\\slash": 1
  },
  "last_chat": { "is_contact": true, "call_direction": "outbound", "outcome": "COMPLETED", "duration_seconds": 58, "summary": null },
  "has": "a field", "ключ": 1
}`)
