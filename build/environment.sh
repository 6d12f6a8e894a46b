# Sourced by the commands in bin/: exports JAVA_HOME, a JDK 17, or ends with an error that says what is missing.

eyrie_is_jdk17() {
    [[ -n "$1" && -x "$1/bin/javac" && -x "$1/bin/java" ]] && [[ "$("$1/bin/javac" -version 2>&1)" =~ ^javac\ 17([.+-]|$) ]]
}

eyrie_find_jdk17() {
    local candidate javac
    local candidates=("${JAVA_HOME:-}")
    if javac="$(command -v javac)"; then
        javac="$(readlink -f "${javac}")"
        candidates+=("${javac%/bin/javac}")
    fi
    # macOS keeps its JDKs elsewhere and has a command that finds them
    if [[ -x /usr/libexec/java_home ]]; then
        candidates+=("$(/usr/libexec/java_home -v 17 2>/dev/null || true)")
    fi
    candidates+=(/usr/lib/jvm/*17*)
    for candidate in "${candidates[@]}"; do
        if eyrie_is_jdk17 "${candidate}"; then
            printf '%s\n' "${candidate}"
            return
        fi
    done
    return 1
}

if ! JAVA_HOME="$(eyrie_find_jdk17)"; then
    {
        echo "Eyrie needs a JDK 17, with javac; a newer or older one does not do (the engine's bytecode tools). None was found in JAVA_HOME,"
        echo "on the PATH or in /usr/lib/jvm. Install one (Debian, Ubuntu: apt-get install openjdk-17-jdk-headless) or point JAVA_HOME at one."
    } >&2
    exit 1
fi
export JAVA_HOME
