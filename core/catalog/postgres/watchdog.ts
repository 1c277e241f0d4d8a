/**
 * The shell script that runs a server. Its arguments are the socket's folder and the server's command line. It stops
 * the server (fast shutdown) as soon as its own standard input closes, which happens even if the host is killed.
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
