//! The table: common programs, and by which options each of them runs or writes something.
//!
//! Data only. A row is worth having if people grant the program by its name and do not think of the option.

use super::flags::Flags;

/// Whatever they are given, these neither run nor write anything; so a pattern may become any of their words.
pub(super) const INERT: &str = "\
             : b2sum base32 basename cat cksum cmp colrm column comm cut df dirname du echo egrep expand \
             expr factor false fgrep fmt fold free getconf grep groups head hexdump id join jq locale \
             logname look ls lsblk lscpu md5sum mountpoint nl nproc numfmt od paste pathchk pgrep pr \
             printenv ps pwd readelf readlink realpath rev seq sha1sum sha224sum sha256sum sha384sum \
             sha512sum size sleep stat strings sum tac tail tr true tsort tty uname unexpand uptime users \
             vdir vmstat w wc which who whoami";

/// What these do is not told by any of their first words: they take commands of their own, from an operand or from
/// their input, change what later commands mean, or write by nature where nobody expects it.
pub(super) const ONLY_WHOLE: &str = "\
             . alias autoload bg bind builtin caller compdef compctl compgen complete compopt declare \
             dirs disable disown emulate enable eval exec export fc fg getopts hash history jobs let \
             local logout mapfile popd print pushd read readarray readonly sched set setopt shopt source \
             suspend trap typeset ulimit umask unalias unset unsetopt vared wait zcompile zle zmodload \
             zstyle ed emacs emacsclient ex gdb gnuplot joe lldb m4 mariadb micro mongo mongosh mysql \
             nano nvim pico psql red redis-cli rvim sqlite3 vi view vim vimdiff dc at batch crontab entr \
             parallel screen script su tmux watch busybox toybox osascript open xdg-open start cpio ldd \
             pax socat nc ncat sponge visudo vipw ansible ansible-playbook arch-chroot asciinema asdf \
             bwrap capsh chpst chroot chrt concurrently cpulimit cross-env ctags daemonize direnv duckdb \
             flatpak flock fnm ftp gosu hyperfine ip lxc mail mailx mise nix nix-shell nodemon nsenter \
             numactl nvm octave pee perf prlimit proot pyenv rbenv run-parts runuser setarch sftp sg \
             softlimit ssh-agent start-stop-daemon taskset trickle tshark volta watchexec ld.so \
             ld-linux.so ld-linux-x86-64.so ld-linux-aarch64.so ld-musl-x86_64.so latex lualatex pdflatex \
             telnet tig xelatex sbt objdump bmake";

/// Programs by name, and their options.
pub(super) const TABLE: &[(&str, Flags)] = &[
    // texts and files
    ("sort", Flags::risky("-o --output --compress-program").values("kStT")),
    ("shuf", Flags::risky("-o --output").values("in")),
    ("uniq", Flags::risky("").values("fsw").at_most(1)),
    ("tee", Flags::risky("").at_most(0)),
    ("tree", Flags::risky("-o -R")),
    ("date", Flags::risky("-s --set").values("dfr").attached("I").operands_start("+")),
    ("hostname", Flags::risky("-F --file -b --boot").at_most(0)),
    ("xxd", Flags::risky("").values("cglosnR").at_most(1).options_first()),
    (
        "file",
        Flags::risky("-C --compile -m --magic-file -z --uncompress -Z --uncompress-noreport").values("eFfP"),
    ),
    ("diff colordiff", Flags::risky("-l --paginate").values("ICFLSUWxX")),
    ("sdiff", Flags::risky("-o --output --diff-program").values("Iw")),
    ("diff3", Flags::risky("--diff-program")),
    ("patch", Flags::risky("-o --output -r --reject-file -e --ed -i --input -d --directory")),
    ("split", Flags::risky("--filter")),
    ("iconv", Flags::risky("-o --output").values("ft")),
    ("install", Flags::risky("-s --strip --strip-program")),
    ("type", Flags::risky("")),
    (
        "yq",
        Flags::risky(
            "-i --inplace --in-place -s --split-exp --split-exp-file --security-enable-system-operator",
        )
        .attached("o"),
    ),
    ("xmllint", Flags::words("o output shell")),
    (
        "less more most",
        Flags::only("-N -S -R -X -F -E -e -i -I -n -s -m -M -g -G -q -Q -u -w -r -J -f -a --chop-long-lines"),
    ),
    ("bat batcat", Flags::risky("--pager --config-file --map-syntax --generate-config-file cache").uncut()),
    ("man", Flags::only("-k -f -w -a -s --apropos --whatis --where --path --all").values("s")),
    ("info", Flags::only("-k -w --apropos --where")),
    ("zip", Flags::risky("-m -O -T -l --unzip-command --move --output-file --out --logfile-path")),
    ("unzip", Flags::only("-l -v -Z -t -p -c -q -z -h").needs("-l -v -Z -t -p -c -z")),
    ("7z 7za 7zr 7zz", Flags::risky("-o -so -w").commands("l t i h")),
    ("zstd", Flags::risky("-o --output-dir-flat --output-dir-mirror --rm --trace --patch-from")),
    ("truncate shred", Flags::risky("--reference").at_most(0)),
    (
        "openssl",
        Flags::words(
            "-out -writerand -engine -provider -provider-path -keyout -sess_out -keylogfile -config \
             -reqout -respout -certsout -CAserial -CAcreateserial -outdir -ssl_client_engine -signer \
             -newkey -genkey -msgfile rehash",
        ),
    ),
    (
        "gpg gpg2",
        Flags::only("--verify --list-keys -k --list-secret-keys -K --fingerprint --version")
            .needs("--verify --list-keys -k --list-secret-keys -K --fingerprint --version"),
    ),
    (
        "pandoc",
        Flags::only("-s --standalone -N --number-sections --toc --wrap --columns --version -h --help"),
    ),
    ("xdotool", Flags::risky("").commands("version")),
    // searching
    (
        "find gfind",
        Flags::words("-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls -files0-from"),
    ),
    ("fd fdfind", Flags::risky("-x --exec -X --exec-batch").values("deEtScjoT").uncut()),
    ("rg", Flags::risky("--pre --hostname-bin").uncut()),
    ("ag ack", Flags::risky("--pager --ackrc --env --type-add --type-set --output")),
    ("locate plocate mlocate", Flags::risky("-d --database")),
    ("fzf sk", Flags::only("-f --filter -e --exact -i -x --version")),
    // other machines
    ("ssh", Flags::only("-q -v -T -4 -6 -n -C -p -l").values("pl").first_runs()),
    ("scp", Flags::only("-q -v -C -r -p -4 -6 -P").values("P")),
    (
        "rsync",
        Flags::risky(
            "-e --rsh --rsync-path -M --remote-option --log-file --daemon --config --write-batch \
             --only-write-batch --backup-dir --partial-dir --temp-dir -T --delete --delete-before \
             --delete-after --delete-during --delete-excluded --delete-delay --delete-missing-args --del \
             --remove-source-files --remove-sent-files --password-file --early-input",
        )
        .values("Bf"),
    ),
    ("tcpdump", Flags::risky("-z -w -Z -F -C -G -W")),
    ("ss", Flags::risky("-K --kill -D --diag -F --filter")),
    (
        "nmap",
        Flags::risky(
            "-o -i -s -S -A --script --script-help --script-args --datadir --servicedb --stylesheet \
             --resume",
        ),
    ),
    // builders and languages
    (
        "cargo",
        Flags::risky(
            "+ --config --manifest-path -C -Z --target-dir --out-dir --artifact-dir --lockfile-path --fix \
             --open --allow-dirty --allow-no-vcs --logfile --emit --print-config --config-file -o",
        )
        .values("pFj")
        .uncut()
        .commands(
            "b bench build c check clippy d doc fetch fmt help info locate-project metadata pkgid \
             read-manifest search t test tree verify-project version",
        ),
    ),
    (
        "rustc",
        Flags::only(
            "-g -O -v -V -h --version --help --explain --edition --crate-type --crate-name --test --cfg \
             --check-cfg --cap-lints --error-format --color --json -A -W -D -F --allow --warn --deny \
             --forbid",
        )
        .values("AWDF"),
    ),
    ("rustfmt", Flags::risky("--config --config-path --print-config")),
    ("rustup", Flags::risky("").commands("show check which doc help")),
    (
        "go",
        Flags::words(
            "-exec -toolexec -vettool -o -modfile -overlay -C -c -ldflags -gcflags -asmflags -gccgoflags \
             -coverprofile -cpuprofile -memprofile -blockprofile -mutexprofile -trace -debug-trace \
             -debug-actiongraph -debug-runtime-trace -outputdir -pkgdir -w -u -fuzz -compiler \
             -testlogfile -gocoverdir",
        )
        .commands("build test vet list version env doc fmt help"),
    ),
    (
        "gcc g++ cc c++ clang clang++ tcc",
        Flags::starts(
            "-wrapper -specs --specs --prefix -fplugin -fmodule --for-linker --for-assembler -fdeps \
             -fdiagnostics-add-output --write --gcc-toolchain -fpass-plugin -B -Xclang -Xlinker \
             -Xassembler -Xpreprocessor -load -fuse-ld --ld-path -Wl, -Wp, -Wa, @ -o --output -MF -MJ \
             -save-temps --save-temps -dump -aux-info -fopt-info -fdump -fcallgraph-info \
             -fdiagnostics-format -foptimization-record -ftime-trace -serialize-diagnostics \
             -dependency-file --config -T -run",
        ),
    ),
    (
        "ld gold lld",
        Flags::starts("-o --output -plugin --plugin -T --script @ -Map --Map -M --dependency-file"),
    ),
    ("ninja", Flags::only("-j -k -v -n -d").values("jkd")),
    (
        "mvn mvnw gradle gradlew ant lein bazel",
        Flags::only(
            "-q --quiet -o --offline -B -v --version -h --help --info --debug --stacktrace --tests \
             --rerun-tasks --continue --parallel --no-daemon --build-cache --console",
        )
        .uncut(),
    ),
    (
        "npm",
        Flags::risky(
            "--script-shell --prefix -C --node-options --userconfig --globalconfig --git --editor \
             --viewer --shell -c --call --init-module --cache --registry --browser --cafile -g --global \
             --location --scripts-prepend-node-path --logs-dir --fix fix",
        )
        .loose()
        .commands(
            "run run-script test t tst start stop restart ls list ll la view v info show outdated audit \
             fund explain why ping whoami root bin search",
        ),
    ),
    (
        "pnpm yarn",
        Flags::risky(
            "--script-shell --prefix -C --dir --cwd --shell-emulator --use-node-version --global-dir \
             --modules-dir -c --shell-mode -g --global --config --use-yarnrc --inspect --require \
             --pnpmfile --fix fix",
        )
        .loose()
        .commands("run test t start ls list why outdated audit licenses info root bin")
        .before("--filter -F")
        .uncut(),
    ),
    (
        "pytest py.test",
        Flags::risky(
            "@ -p -c --config-file --rootdir --confcutdir -o --override-ini --basetemp --junitxml \
             --junit-xml --import-mode --pastebin --log-file --cov-config --cov-report --pdbcls --pdb \
             --pyargs --cache-clear --debug --html --report-log --json-report-file --resultlog --tx -W \
             --pythonwarnings",
        )
        .values("kmnr")
        .uncut(),
    ),
    (
        "eslint",
        Flags::risky(
            "-c --config --rulesdir --resolve-plugins-relative-to --plugin -o --output-file --fix -f \
             --format --parser --init --cache-location --cache-file --flag --inspect-config --mcp \
             --suppress-all --suppress-rule --suppressions-location",
        )
        .uncut(),
    ),
    ("prettier", Flags::risky("-w --write --plugin --plugin-search-dir --config --cache-location").uncut()),
    (
        "jest vitest mocha ava",
        Flags::risky(
            "-c --config --rootDir --root --dir -r --require --import --loader --experimental-loader \
             --file --globalSetup --globalTeardown --setupFiles --setupFilesAfterEnv --testRunner \
             --runner --testEnvironment --env --environment --transform --reporters --reporter \
             --coverageDirectory --outputFile --resolver --node-option -n --node-arguments --preset \
             --snapshotSerializers --cacheDirectory --api --ui --opts --package --project --projects \
             --filter --updateSnapshot --update --haste --moduleNameMapper --diff --pool --execArgv \
             --redirect-warnings --logfile --log --roots --init --coverageReporters --modulePaths \
             --cpu-prof --heap-prof --testResultsProcessor --testSequencer --prettierPath -R -u -O \
             --reporter-option --watch-plugins",
        )
        .values("t")
        .uncut(),
    ),
    (
        "mypy ruff black isort flake8 pylint",
        Flags::risky(
            "@ --config-file --config --append-config --init-hook --load-plugins --rcfile \
             --python-executable --output-file --cache-dir --junit-xml -o --plugin --fix --unsafe-fixes \
             --add-noqa --install-types --timing-stats --unsafe-load-any-extension -f --output-format \
             --html-report --txt-report --xml-report --any-exprs-report --cobertura-xml-report \
             --linecount-report --lineprecision-report --settings-path --settings-file --sp \
             --import-graph --ext-import-graph --int-import-graph --linecoverage-report \
             --memory-xml-report --xslt-html-report",
        ),
    ),
    (
        "rspec",
        Flags::only(
            "-q --quiet -v --verbose --version -h --help --format -f --fail-fast --color --order --seed",
        ),
    ),
    ("rubocop phpunit tox nox", Flags::only("-q --quiet -v --verbose --version -h --help")),
    (
        "dotnet",
        Flags::starts(
            "/ @ -p --p -l --logger -o --output -r --results -bl -s --settings -d --diag --collect",
        ),
    ),
    (
        "hg",
        Flags::risky(
            "--config -R --repository --cwd -o --output --tool --rcfile -e --ssh --remotecmd -c --command",
        ),
    ),
    ("svn", Flags::risky("--diff-cmd --diff3-cmd --editor-cmd --config-dir --config-option")),
    ("jj", Flags::risky("--config --config-file --config-toml -R --repository --tool util")),
    ("json.tool", Flags::risky("").at_most(1)),
    (
        "nm",
        Flags::only("-a -g -u -n -S -C -D --demangle --defined-only --undefined-only --size-sort --dynamic"),
    ),
    ("getent", Flags::risky("-s --service")),
    ("ptx", Flags::risky("-G --traditional")),
    ("base64", Flags::risky("-o --output")),
    (
        "rpm",
        Flags::only("-q -a -l -f -p --query --all --list --file --version").needs("-q --query --version"),
    ),
    ("xsltproc", Flags::words("o output load-trace writesubtree")),
    (
        "pip pip3",
        Flags::risky(
            "--python --config-settings --target -t --root --prefix --log --cache-dir --editable -e \
             --report --log-file --local-log",
        )
        .commands("list show freeze check index inspect help"),
    ),
    (
        "uv poetry pdm hatch rye conda mamba pipenv",
        Flags::only("-q --quiet -v --verbose --version").commands("tree show check list"),
    ),
    (
        "gem bundle bundler rake composer",
        Flags::only("-q -v --version").commands("list show info outdated check"),
    ),
    (
        "brew apt apt-get apt-cache dnf yum pacman snap apk zypper",
        Flags::risky("-o --option -c --config-file --config --setopt --root -C --hookdir")
            .commands("list search info show policy outdated deps help"),
    ),
    // services
    (
        "docker podman nerdctl",
        Flags::risky(
            "-H --host --config -c --context --url --connection --runtime --conmon --cpu-profile \
             --memory-profile --module --root --runroot --storage-opt --hooks-dir --network-cmd-path",
        )
        .uncut()
        .commands("ps images logs inspect version info stats top port diff history search"),
    ),
    (
        "kubectl oc",
        Flags::risky(
            "--kubeconfig -s --server --token --cache-dir --raw --as --profile-output --output-directory \
             --log-file --log-dir --kuberc",
        )
        .uncut()
        .commands("get describe logs top version explain api-resources api-versions")
        .before("-n --namespace --context"),
    ),
    (
        "helm",
        Flags::risky("--post-renderer --kubeconfig --registry-config")
            .uncut()
            .commands("list ls status history get show search version lint"),
    ),
    (
        "terraform tofu terragrunt",
        Flags::words(
            "-chdir -tf-path -terragrunt-tfpath -terragrunt-config -config -out -state -state-out -backup \
             -plugin-dir -write",
        )
        .commands("validate fmt show output version graph"),
    ),
    (
        "gh",
        Flags::risky(
            "--upload-pack -O --output -D --dir clone checkout download delete archive rename sync fork \
             develop",
        )
        .uncut()
        .commands("pr issue run workflow release repo search status label project org ruleset version help"),
    ),
    ("cpp", Flags::only("-E -P").at_most(1)),
    ("dpkg", Flags::only("-l -L -s -S -p --list --listfiles --status --search --version")),
    ("ar", Flags::risky("--plugin --record-libdeps -M --output").commands("t tv p")),
    ("lsof", Flags::risky("-D")),
    (
        "systemctl",
        Flags::risky("-H --host -M --machine --root --image").commands(
            "status show list-units list-unit-files list-timers is-active is-enabled is-failed cat",
        ),
    ),
    (
        "journalctl",
        Flags::risky(
            "--vacuum-size --vacuum-time --vacuum-files --rotate --flush --sync --relinquish-var \
             --smart-relinquish-var --cursor-file --update-catalog --setup-keys",
        ),
    ),
    (
        "aws gcloud az",
        Flags::risky("--cli-input-json --profile --configuration --endpoint-url --debug")
            .commands("sts help version"),
    ),
    ("launchctl defaults scutil networksetup", Flags::risky("").commands("list print read find help")),
];
