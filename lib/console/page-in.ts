/** The number of the page that an address names. */
export const pageIn = (query: URLSearchParams): { readonly page?: number } => {
  const page = query.get('page')
  return page !== null && /^\d{1,9}$/.test(page) ? { page: Number(page) } : {}
}
