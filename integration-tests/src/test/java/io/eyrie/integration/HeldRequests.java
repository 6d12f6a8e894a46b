// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.link.LinkRequest;
import io.eyrie.testing.link.ShapedLink;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import static org.assertj.core.api.Assertions.assertThat;

/** Holds requests to the store until it is closed. Thread-safe. */
final class HeldRequests
        implements AutoCloseable
{
    private final ShapedLink link;
    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    /** @param which selects the requests to hold; called once for each request */
    HeldRequests(ShapedLink link, Predicate<LinkRequest> which)
    {
        this.link = link;
        link.injectFaults(request -> {
            if (which.test(request)) {
                held.countDown();
                await(released);
            }
            return Optional.empty();
        });
    }

    /** Waits for the first request. */
    void await()
    {
        await(held);
    }

    private static void await(CountDownLatch latch)
    {
        try {
            assertThat(latch.await(2, TimeUnit.MINUTES)).isTrue();
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close()
    {
        released.countDown();
        link.clearFaults();
    }
}
