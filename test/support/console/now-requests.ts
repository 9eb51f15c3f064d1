/** The most requests that an open view Now sends in two minutes, by path. Each subscription that it shows adds one, for its deliveries. */
export const NOW_REQUESTS = {
  '/api/users/me/activity/': 30,
  '/api/users/me/': 6,
  '/api/webhooks/': 4,
  '/api/ingestion/uploads/': 2,
} as const
