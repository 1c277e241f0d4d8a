/**
 * The shell script that runs a server: its arguments are the folder of the socket and the command line. It ends the
 * server (fast shutdown) as soon as its standard input closes, which the operating system does for a host that was
 * killed too.
 */
export const watchdog = `
folder=$1
shift
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
{ read -r _; kill -INT "$server"; } <&3 2>/dev/null &
reader=$!
exec 3<&-
trap '' INT
trap 'kill -INT "$server"' TERM
wait "$server"
status=$?
while kill -0 "$server" 2>/dev/null; do wait "$server"; status=$?; done
kill "$reader" 2>/dev/null
rm -rf "$folder"
exit "$status"
`;
