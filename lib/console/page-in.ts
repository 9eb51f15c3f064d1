/** The number of the page that an address names. If it is no number, the service answers that the page does not exist. */
export const pageIn = (query: URLSearchParams): { readonly page?: number } => {
  const page = query.get('page')
  return page === null || page === '' ? {} : { page: Number(page) }
}
