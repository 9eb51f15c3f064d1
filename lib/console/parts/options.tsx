/** The options of a select, by their values. */
export const Options = ({ texts }: { readonly texts: Readonly<Record<string, string>> }) => (
  <>
    {Object.entries(texts).map(([value, text]) => (
      <option key={value} value={value}>
        {text}
      </option>
    ))}
  </>
)
