/** The number of the page that an address names. Of anything else than a number, the service says that there is no such page. */
export const pageIn = (query: URLSearchParams): { readonly page?: number } => {
  const page = query.get('page')
  return page === null ? {} : { page: Number(page) }
}
