/** The longest suites. Most of them wait a lot, which the others fill; one that came last would have nobody beside it. */
const FIRST = [
  'simulation/torture.test',
  'e2e/first-call.test',
  'conformance/conformance.test',
  'e2e/triggers.test',
  'e2e/logs.test',
  'e2e/uploads.test',
  'e2e/guides.test',
  'simulation/deliveries.test',
  'e2e/leads-api.test',
  'simulation/isolation.test',
  'simulation/races.test',
  'e2e/webhooks-restart.test',
  'conformance/isolation.test',
]

const placeOf = ({ path }) => {
  const place = FIRST.findIndex((suite) => path.includes(`test/${suite}`))
  return place === -1 ? FIRST.length : place
}

/** The order of suites, which is the same whatever has been run on this machine before. */
export default class Sequencer {
  sort(tests) {
    return [...tests].sort((one, other) => placeOf(one) - placeOf(other))
  }

  shard(tests, { shardIndex, shardCount }) {
    return tests.filter((_, place) => place % shardCount === shardIndex - 1)
  }

  allFailedTests() {
    return []
  }

  cacheResults() {}
}
