// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.micro;

import com.google.common.base.Throwables;
import io.eyrie.cli.console.ReportedException;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs one JMH benchmark in a separate JVM; its log goes to a file. */
final class Jmh
{
    static {
        // run even if another JMH process measures on this machine
        System.setProperty("jmh.ignoreLock", "true");
    }

    private Jmh()
    {}

    /** Returns operations per second. */
    static double throughput(Class<?> type, Map<String, String> parameters, Effort effort, Path log)
    {
        return score(options(type, parameters, effort, log)
                .mode(Mode.Throughput)
                .timeUnit(TimeUnit.SECONDS)
                .threads(1)
                .warmupIterations(effort.warmups())
                .warmupTime(TimeValue.milliseconds(effort.millis()))
                .measurementIterations(effort.iterations())
                .measurementTime(TimeValue.milliseconds(effort.millis())));
    }

    /** Returns the seconds of one operation, the first of its JVM. */
    static double firstSeconds(Class<?> type, Map<String, String> parameters, Effort effort, Path log)
    {
        return score(options(type, parameters, effort, log)
                .mode(Mode.SingleShotTime)
                .timeUnit(TimeUnit.MICROSECONDS)
                .threads(1)
                .warmupIterations(0)
                .measurementIterations(1)) / TimeUnit.SECONDS.toMicros(1);
    }

    private static ChainedOptionsBuilder options(Class<?> type, Map<String, String> parameters, Effort effort, Path log)
    {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + type.getName().replace(".", "\\.") + "\\.")
                .forks(effort.forks())
                .jvmArgsAppend("-Xmx2g", "-Xms2g")
                .shouldFailOnError(true)
                .output(log.toString());
        parameters.forEach(options::param);
        return options;
    }

    private static double score(ChainedOptionsBuilder options)
    {
        try {
            RunResult result = new Runner(options.build()).runSingle();
            return result.getPrimaryResult().getScore();
        }
        catch (RunnerException e) {
            throw new ReportedException("JMH failed: " + Throwables.getStackTraceAsString(e));
        }
    }
}
