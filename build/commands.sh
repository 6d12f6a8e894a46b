# Sourced by the commands in bin/, in the checkout's root: builds what is not built, and runs a command of the module demo or benchmarks.

# sources that the commands run from, newer than what was built from them: any file, or a folder in which one was deleted
eyrie_is_built() {
    local stamp=$1
    shift
    [[ -e "${stamp}" ]] && [[ -z "$(find pom.xml .mvn/wrapper build/commands.sh "$@" -path '*/src/test/*' -prune -o -newer "${stamp}" -print -quit 2>/dev/null)" ]]
}

# eyrie_build MODULE: cli, demo (what the demo runs, without tests and checks) or benchmarks (nearly everything). A larger one contains the smaller ones.
eyrie_build() {
    local module=$1 sources=() options=(-DskipTests) contained stamp log begun
    stamp=${module}/target/built log=${module}/target/build.log
    # a test has built them
    if [[ -n "${EYRIE_BUILT:-}" ]]; then
        return
    fi
    case "${module}" in
        cli) sources=({cli,presto-config,scheduler-affinity,cache-core}/{pom.xml,src}) ;;
        demo)
            sources=({demo,cli,presto-plugin,presto-config,presto-hive-relink,scheduler-affinity,testing}/{pom.xml,src} cache-{core,alluxio,footer,fragment,metastore}/{pom.xml,src}
                cache-fragment/engine/{pom.xml,src} hudi-absent/{pom.xml,src} testing/{hive-metastore,presto-engine,s3proxy}/pom.xml testing/presto-engine/archive)
            # more modules at a time than there are processors: they wait for downloads
            options=(-Pquick -Deyrie.demo -DskipTests -T 4)
            ;;
        benchmarks) sources=(*/pom.xml {cache-fragment,testing}/*/pom.xml */src {cache-fragment,testing}/*/src) ;;
    esac
    if eyrie_is_built "${stamp}" "${sources[@]}"; then
        return
    fi
    if [[ "${module}" == demo ]]; then
        # bin/test compiles again what this build does not check; bin/bench needs folders that this build does not make
        mkdir -p target benchmarks/target
        touch target/unchecked
        rm -f benchmarks/target/built
    fi
    mkdir -p "${module}/target"
    rm -f "${stamp}"
    begun="$(mktemp "${module}/target/begun.XXXXXX")"
    echo "Building (the first time: downloads, too; all of it is in ${log})"
    if ! ./mvnw -B "${options[@]}" -pl "${module}" -am package </dev/null 2>&1 | tee "${log}" | awk '
            /Downloaded from/ && ++files % 100 == 0 { print "  " files " files downloaded"; fflush() }
            /^\[INFO\] Building .*\[[0-9]+\/[0-9]+\]/ { sub(/^\[INFO\] Building /, ""); sub(/ [^ ]*SNAPSHOT */, " "); print "  " $0; fflush() }'; then
        rm -f "${begun}"
        grep -E '^\[ERROR\]' "${log}" >&2 || tail -n 40 "${log}" >&2
        echo "The build failed: ${log}" >&2
        exit 1
    fi
    # as old as the build's begin: what was edited meanwhile is built next time
    mv "${begun}" "${stamp}"
    case "${module}" in
        cli) contained=() ;;
        demo) contained=(cli) ;;
        benchmarks) contained=(demo cli) ;;
    esac
    for module in "${contained[@]}"; do
        mkdir -p "${module}/target"
        cp -p "${stamp}" "${module}/target/built"
    done
}

# eyrie_run MODULE FOLDER MAIN_CLASS ARGUMENTS: in the place of this shell, so that signals reach it, and in the folder that the caller stands in
eyrie_run() {
    local module=$1 folder=$2 main=$3 home=${PWD} commit
    shift 3
    commit="$(git describe --always 2>/dev/null || true)"
    # a report that one cell wrote does not make the next one's commit another
    git diff --quiet HEAD -- . ':!docs/benchmarks' 2>/dev/null || commit="${commit:+${commit}-dirty}"
    cd "${folder}"
    # as in pom.xml, for those that start MinIO
    export TESTCONTAINERS_RYUK_DISABLED=true TESTCONTAINERS_HOST_OVERRIDE="${TESTCONTAINERS_HOST_OVERRIDE:-127.0.0.1}"
    # s3proxy logs by SLF4J, for which there is no binding here
    exec "${JAVA_HOME}/bin/java" -Dslf4j.internal.verbosity=ERROR -Deyrie.root="${home}" -Deyrie.commit="${commit}" \
        -cp "${home}/${module}/target/classes:${home}/${module}/target/lib/*" "${main}" "$@"
}
