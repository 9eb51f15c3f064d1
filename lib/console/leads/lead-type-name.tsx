import { useLeadTypes } from '../hooks/use-lead-types.ts'
import { QuotedText } from '../parts/quoted-text.tsx'

/** The name of a lead type. Its id while the names are read, and if it is not among those of the page. */
export const LeadTypeName = ({ id }: { readonly id: number }) => (
  <QuotedText text={useLeadTypes().data?.results.find((one) => one.id === id)?.name ?? `${id}`} />
)
