// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.listing;

import com.amazonaws.services.s3.model.S3ObjectSummary;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static org.assertj.core.api.Assertions.assertThat;

/** Compares the scan with a plain filter of all keys, for any contents of the directories, any subset of them, and any order of requests. */
final class PrefixScanModelTest
{
    private static final List<String> FILES = List.of("", "a", "b", "\uE000", "\uD83D\uDE00", "_$folder$", "_hidden", "n/", "n/a", "n/m/b", "n/m/c",
            "z");

    @Property(tries = 2000)
    void answersAreThoseOfAPlainListingAtNoMoreRequestsButOne(
            @ForAll("keys") Set<String> keys,
            @ForAll @IntRange(min = 1, max = 12) int pageSize,
            @ForAll @IntRange(min = 1, max = 6) int threads,
            @ForAll @IntRange(max = 9) int outOfOrder,
            @ForAll long seed)
            throws Exception
    {
        Random random = new Random(seed);
        TestingKeySource store = new TestingKeySource(pageSize, keys);
        List<String> wanted = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            if (random.nextInt(4) > 0) {
                wanted.add(directory(i));
            }
        }
        PrefixScan scan = new PrefixScan(wanted);
        List<String> asked = new ArrayList<>(wanted.stream().filter(directory -> random.nextInt(8) > 0).toList());
        for (int i = 0; i < outOfOrder && !asked.isEmpty(); i++) {
            Collections.swap(asked, random.nextInt(asked.size()), random.nextInt(asked.size()));
        }
        List<Optional<List<S3ObjectSummary>>> answers = ask(scan, store, asked, threads);
        int plain = 0;
        for (int i = 0; i < asked.size(); i++) {
            String directory = asked.get(i);
            if (answers.get(i).isPresent()) {
                assertThat(answers.get(i).get()).extracting(S3ObjectSummary::getKey).filteredOn(key -> !key.equals(directory))
                        .isEqualTo(store.under(directory));
            }
            else {
                plain++;
            }
        }
        assertThat(store.requests() + plain).as("requests").isLessThanOrEqualTo(asked.size() + 1);
    }

    @Provide
    Arbitrary<Set<String>> keys()
    {
        Arbitrary<Integer> directories = Arbitraries.integers().between(0, 42);
        return directories.flatMap(directory -> Arbitraries.of(FILES).map(file -> directory(directory) + file)).set().ofMaxSize(160);
    }

    private static List<Optional<List<S3ObjectSummary>>> ask(PrefixScan scan, PageSource store, List<String> asked, int threads)
            throws InterruptedException,
            ExecutionException
    {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<Optional<List<S3ObjectSummary>>>> answers = new ArrayList<>();
            for (String directory : asked) {
                assertThat(scan.claim(directory)).isTrue();
                answers.add(executor.submit(() -> scan.objectsUnder(directory, store)));
            }
            List<Optional<List<S3ObjectSummary>>> all = new ArrayList<>();
            for (Future<Optional<List<S3ObjectSummary>>> answer : answers) {
                all.add(answer.get());
            }
            assertThat(new TreeSet<>(asked)).noneMatch(scan::claim);
            return all;
        }
        finally {
            executor.shutdownNow();
        }
    }

    private static String directory(int number)
    {
        // 30 has the prefix 3, and the slash is neither the least nor the greatest character after it
        return "t/p=" + number + (number % 5 == 0 ? "-x/" : "/");
    }
}
