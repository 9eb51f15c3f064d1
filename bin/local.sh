# npm start. Prints its help without an installation, which takes minutes.
for argument; do
  [ "$argument" != --help ] || exec cat lib/local/start-help.txt
done
node bin/prepare.cjs start && exec node bin/local.ts "$@"
